// The parts of a result that are drawn with it and not before: they are loaded with ../later.ts.

export { findings } from "../../release/findings.ts";
export { beneath } from "./beneath.ts";
export { prediction } from "./predict.ts";
export { promise } from "./promise.ts";
export { publishPanel } from "./publish-panel.ts";
