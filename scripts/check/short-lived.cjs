// Required by every Node process of a test, and by those that run Go's tests under js/wasm
// (NODE_OPTIONS, from nodetest.mjs). Most of them compute for half a second and end: they would
// spend a third of that on optimising WebAssembly that they have no more use for. Functions that
// run fifty times as long as usual are still optimised. What is computed is the same: but V8's
// optimising compiler sees only what runs so long. In tests in Chromium, too, save in that of the
// package (site/test/harness/browser.mjs).

require("node:v8").setFlagsFromString("--wasm-tiering-budget=100000000");
