// Required by every Node process of a test (NODE_OPTIONS in nodetest.mjs). Most of them compute for
// half a second and end: they would spend a third of that on optimising WebAssembly that they have
// no more use for. Functions that run fifty times as long as usual are still optimised. What is
// computed is the same: but V8's optimising compiler sees only what runs so long, in tests in Node.
// In browsers, which these options do not reach, it sees all.

require("node:v8").setFlagsFromString("--wasm-tiering-budget=100000000");
