/** Where a bundler puts this binary, for `wasmURL`, the attribute `wasm`, or `fetch`. */
declare const url: string;
export default url;
