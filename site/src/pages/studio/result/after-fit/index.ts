// Everything that can be done with a model once it is fitted. It is loaded with ../../later.ts.

export { AfterFit } from "./after-fit.ts";
