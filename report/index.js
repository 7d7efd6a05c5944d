/** `polyprof/report`: what there is to do with a trace after the fact, in Node. */

export { callTree } from './traces/call_tree.js';
export { callTreeJson } from './formats/call_tree_json.js';
export { checkTrace } from './reading/check_trace.js';
export { ShareComparison } from './diff/compare_shares.js';
export { cpuprofile } from './formats/cpuprofile.js';
export { evenSamples } from './reading/even_samples.js';
export { firefoxProfile } from './formats/firefox_profile.js';
export { folded } from './formats/folded.js';
export { FORMATS, formatOf } from './formats/formats.js';
export { htmlReport } from './formats/html_report.js';
export { MergedTrace } from './traces/merged_trace.js';
export { pprof } from './formats/pprof.js';
export { readAllProfiles, readTrace } from './reading/read_trace.js';
export { sampleWeights } from './traces/sample_weights.js';
export { sourceMapSymbols } from './symbols/source_map_symbols.js';
export { speedscope } from './formats/speedscope.js';
export { SymbolFinder } from './symbols/symbol_finder.js';
export { symbolsIn } from './symbols/symbol_files.js';
export { symbolicate } from './symbols/symbolicate.js';
export { formatTable } from './terminal/table.js';
export { tableSymbols } from './symbols/table_symbols.js';
export { TraceError } from './reading/trace_error.js';
