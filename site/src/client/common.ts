// What every entry of the package has beside its way to load.

export { blobWorker } from "./blob-worker.ts";
export { SEAL, seal } from "./seal.ts";
export { type Outlook, outlook } from "./outlook.ts";
export { schemaForFit, usualFitMethod } from "./usual.ts";
export { defaultFitMethod, fitMethods, type FitMethodFacts } from "./wire/methods.ts";
export * from "./types.ts";
