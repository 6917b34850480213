// Package kernel joins the SIMD kernel to a program compiled to js/wasm. The kernel is a second
// module of WebAssembly, made from the C in the folder c. It shares the program's memory, and takes
// the passes over rows that a fit's time goes into (core/solve, Kernel), about three times as fast
// as Go's loops do there, and the plain records of a CSV file (core/data, Kernel).
//
// Call [Use] once at the start of a program that fits. Where there is no kernel, because the host
// brings none or its engine has no SIMD, Go's loops run, with the same results to the last bit.
package kernel
