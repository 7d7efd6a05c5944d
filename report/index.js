/** `polyprof/report`: what there is to do with a trace after the fact, in Node. */

export { callTree } from './call_tree.js';
export { callTreeJson } from './call_tree_json.js';
export { checkTrace } from './check_trace.js';
export { ShareComparison } from './compare_shares.js';
export { cpuprofile } from './cpuprofile.js';
export { evenSamples } from './even_samples.js';
export { firefoxProfile } from './firefox_profile.js';
export { folded } from './folded.js';
export { FORMATS, formatOf } from './formats.js';
export { htmlReport } from './html_report.js';
export { MergedTrace } from './merged_trace.js';
export { pprof } from './pprof.js';
export { readAllProfiles, readTrace } from './read_trace.js';
export { sampleWeights } from './sample_weights.js';
export { sourceMapSymbols } from './source_map_symbols.js';
export { speedscope } from './speedscope.js';
export { SymbolFinder } from './symbol_finder.js';
export { symbolsIn } from './symbol_files.js';
export { symbolicate } from './symbolicate.js';
export { formatTable } from './table.js';
export { tableSymbols } from './table_symbols.js';
export { TraceError } from './trace_error.js';
