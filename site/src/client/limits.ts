/**
 * The largest source, all parts together, in bytes: 512 MiB. The core has the
 * same limit and checks it again (wasm/api/fitting, MaxBytes), and bounds the
 * design matrix too, so that a fit stays within the 4 GiB that WebAssembly has.
 */
export const MAX_BYTES = 2 ** 29;
