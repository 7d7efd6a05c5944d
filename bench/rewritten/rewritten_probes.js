/**
 * Other forms of probes in whole programs, made from the text that ours have with all functions (`--min-weight 0`). They need not work: nobody samples them.
 * @typedef {{probe: 'flag' | 'shadow', rewrite: (code: string) => string, key: string}} RewrittenProbe `key`: what it depends on
 */

/** @param {'flag' | 'shadow'} probe @param {...[RegExp, string]} replacements @returns {RewrittenProbe} */
const form = (probe, ...replacements) => ({
  probe,
  rewrite: (code) => replacements.reduce((text, [found, by]) => text.replace(found, by), code),
  key: String(replacements),
});

const ENTER_FLAG = /__ppF\[__ppF\[8\]=0\]/g;
/** Depth's variable, id. */
const ENTER_SHADOW = /__ppA\[(__ppD\w*)\]=(__ppB_\w+\+\d+),__ppA\[0\]=__ppD\w*\+1/g;
const LEAVE_SHADOW = /__ppA\[0\]=(__ppD\w*)(?![\w+])/g;

/** By name. @type {Record<string, RewrittenProbe>} */
export const REWRITTEN_PROBES = {
  'flag, enter does not store': form('flag', [ENTER_FLAG, '__ppF[0]']),
  'flag, enter does not store, array that may grow': form(
    'flag',
    [ENTER_FLAG, '__ppF[0]'],
    [/new SharedArrayBuffer\(64\)/, 'new SharedArrayBuffer(64,{maxByteLength:64})'],
  ),
  'flag, one cell': form('flag', [ENTER_FLAG, '__ppF[0]'], [/__ppF\[[123]\]/g, '__ppF[0]']),
  'shadow, ids are literals': form('shadow', [/__ppB_\w+\+(\d+),/g, '$1,']),
  'shadow, one word: id': form('shadow', [ENTER_SHADOW, '__ppA[0]=$2']),
  'shadow, one word: calling context': form('shadow', [ENTER_SHADOW, '__ppA[0]=Math.imul($1,3)+$2']),
  'shadow and flag': form(
    'shadow',
    [LEAVE_SHADOW, '(__ppF[1]&&__ppH.l(),__ppA[0]=$1)'],
    [ENTER_SHADOW, '(__ppA[$1]=$2,__ppA[0]=$1+1,__ppF[0]&&__ppH.e())'],
    [/(?=var __ppH=)/, 'var __ppF=new Int8Array(64);'],
  ),
};
