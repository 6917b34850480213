import type { Attribute } from "../attributes.ts";

/** The table of <my-privacy>’s attributes. */
export const myPrivacyAttributes: readonly Attribute[] = [
  {
    name: "release",
    values: "a URL",
    standard: "the JSON inside",
    text: "The published release. A file with both, as {“release”: …, “report”: …}, will do for both.",
  },
  {
    name: "report",
    values: "a URL",
    standard: "the JSON inside",
    text: "The privacy report that was published with it.",
  },
  {
    name: "rho",
    values: "1e-8 to 0.5",
    standard: "as the report proposes",
    text: "Probability with which a bound may fail. Who reads may choose another.",
  },
  {
    name: "people",
    values: "a whole number",
    standard: "as the report proposes",
    text: "For how many people at once the bounds hold; 0 for every row that there can be.",
  },
  {
    name: "seal",
    values: "(nothing)",
    standard: "",
    text: "Closes the network for the whole page, until it is left, before anything can be typed. For pages that need nothing more of it.",
  },
  {
    name: "theme",
    values: "light, dark",
    standard: "the page’s",
    text: "Fixes the colours. Otherwise they follow the page’s color-scheme.",
  },
  {
    name: "wasm",
    values: "a URL",
    standard: "reader.wasm beside the script",
    text: "Where the binary is.",
  },
];
