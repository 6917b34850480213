/**
 * The largest source, all parts together, in bytes: 1 GiB. The core holds the
 * same number and checks it again. A file of this size with Adult's shape (109
 * bytes and 14 values a row) becomes a design matrix of about 1.7 GB, which
 * fits the 4 GB that WebAssembly can address; twice the size would not.
 */
export const MAX_BYTES = 2 ** 30;
