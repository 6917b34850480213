import { type Attribute, commonAttributes } from "./attributes.ts";
import { eventAttributes } from "./curve-spec.ts";

/** The table of <attack-view>’s attributes. */
export const attackAttributes: readonly Attribute[] = [
  ...eventAttributes,
  {
    name: "false-alarms",
    values: "0 to 1",
    standard: "0.05",
    text: "Where the attacker’s threshold stands at first: its rate of false alarms.",
  },
  {
    name: "sliders",
    values: "sigma 0.5..10, …",
    standard: "",
    text: "Parameters that the reader can move, with their ranges; “log” or “linear” may follow.",
  },
  ...commonAttributes,
];
