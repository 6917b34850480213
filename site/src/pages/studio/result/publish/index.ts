// Saving models as files, and the models of this visit and of earlier ones. It is loaded with
// ../../later.ts.

export { Again } from "./again.ts";
export { card } from "./card.ts";
export { choicePanel } from "./choice.ts";
export { code } from "./code.ts";
export { modelsTable } from "./models-table.ts";
export { notebook } from "./notebook.ts";
