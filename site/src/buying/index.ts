// What few visits need of the schema's step: buying bounds and categories that nobody knows, confirming what was read, and the schema as a file. It is fetched beside the page, before
// the seal; it draws with what the page hands it, and has no copy of that of its own.

export { Buyer } from "./buyer.ts";
export { files } from "./files.ts";
export { panel } from "./panel.ts";
export { readAll } from "./read-all.ts";
export { whence } from "./whence.ts";
