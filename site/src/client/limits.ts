/**
 * The largest source, all parts together, in bytes: 512 MiB. The core has the
 * same limit and checks it again (wasm/api/fitting, MaxBytes), and bounds the
 * design matrix too, so that a fit stays within the 4 GiB that WebAssembly has.
 */
export const MAX_BYTES = 2 ** 29;

/**
 * Bytes from which on several workers read a file (core/data has the same, Large, and a test
 * compares them).
 */
export const LARGE = 2 ** 24;

/**
 * The most bytes that a design matrix may take: 1 GiB, and so little that three
 * times as much is half of this machine's memory, where the browser tells how
 * much it has (GiB, rounded, and never more than a bound of the browser's own).
 * All workers together take less than three times as much, however many they are. Where each keeps
 * a part of the rows they take little more than once as much. Else one
 * reads and fits, and takes twice as much at most; while it fits, the others have a copy of a
 * part of the rows each, and together of less than all. Noisy steps are taken by one, which has a
 * copy of all rows for them: with it 2.5 times as much, of dense rows. Each worker takes 10 MiB
 * besides.
 */
export function matrixRoom(
  memory = (globalThis.navigator as { deviceMemory?: number } | undefined)?.deviceMemory,
): number {
  return memory === undefined ? 2 ** 30 : Math.min(2 ** 30, Math.floor((memory * 2 ** 30) / 6));
}

/**
 * Whether this is Node, whose threads cannot be sent a file, and whose navigator (of late) has
 * other locks.
 */
export const inNode = "process" in globalThis && Boolean(process.versions?.node);
