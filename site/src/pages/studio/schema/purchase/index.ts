// The parts of the schema's step that few visits need: buying unknown bounds and categories,
// confirming what was read, and the schema as a file. It is loaded with ../../later.ts.

export { Buyer } from "./buyer.ts";
export { panel } from "./panel.ts";
export { provenance } from "./provenance.ts";
export { readAll } from "./read-all.ts";
export { schemaFile } from "./schema-file.ts";
