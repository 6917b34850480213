// The parts that the first drawing of the page does not need. The bundler makes them a separate
// file, which is fetched together with the core. The page waits for it before it seals itself,
// because the seal admits no more scripts.

export * as accuracy from "./budget/expected-accuracy/index.ts";
export * as afterFit from "./result/after-fit/index.ts";
export * as below from "./result/below.ts";
export * as cardBudget from "./budget/card/index.ts";
export * as cardResult from "./result/card/index.ts";
export * as levels from "./schema/levels/index.ts";
export * as lookalikes from "./schema/lookalikes/index.ts";
export * as made from "./sample/tables.ts";
export * as publish from "./result/publish/index.ts";
export * as purchase from "./schema/purchase/index.ts";
