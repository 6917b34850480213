// Required by every Node process of a test, and by those that run Go's tests under js/wasm
// (NODE_OPTIONS, from nodetest.mjs). Most of them compute for half a second and end: they would
// spend a third of that on optimising WebAssembly that they have no more use for. Functions that
// run fifty times as long as usual, where Node's V8 begins at 1,800,000, are still optimised. What
// is computed is the same: but V8's optimising compiler sees only what runs so long. Most tests in
// Chromium do likewise; which do not, site/test/harness/browser.mjs says.

require("node:v8").setFlagsFromString("--wasm-tiering-budget=100000000");
