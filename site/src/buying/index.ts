// What the studio buys for a schema: bounds and categories that nobody knows. Few visits need it, so it is fetched beside the page, before the seal; it draws
// with what the page hands it, and has no copy of that of its own.

export { Buyer } from "./buyer.ts";
export { panel } from "./panel.ts";
export { whence } from "./whence.ts";
