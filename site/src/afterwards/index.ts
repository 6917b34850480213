// What can be done with a model once it is fitted: an evaluation, a privacy report, a look at what it really cost. Fetched beside the page, before it is sealed.

export { Afterwards } from "./afterwards.ts";
