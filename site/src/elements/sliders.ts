// Sliders as authors of pages write them.

import type { Slider } from "../curves/slider.ts";
import { AttributeError } from "./attributes.ts";

/** Fields that count something. */
const counted = /(?:^|\.)(?:steps|count|dimension|categories|n)$/;

export function slider(
  field: string,
  from: number,
  to: number,
  more: { label?: string; scale?: string } = {},
): Slider {
  const wrong = (problem: string) =>
    new AttributeError("sliders", `has ${field}, which ${problem}`);
  if (!Number.isFinite(from) || !Number.isFinite(to) || !(from < to))
    throw wrong("needs two numbers, the smaller one first: sigma 0.5..10.");
  if (more.scale !== undefined && more.scale !== "log" && more.scale !== "linear")
    throw wrong(`has the scale “${more.scale}”: it must be linear or log.`);
  if (more.scale === "log" && from <= 0) throw wrong("is logarithmic, and must begin above 0.");
  const log = more.scale ? more.scale === "log" : from > 0 && to / from >= 20;
  return { field, from, to, log, whole: counted.test(field), label: more.label ?? nameOf(field) };
}

/** Reads `sigma 0.5..10, steps 1..10000`. */
export function parseSliders(text: string): Slider[] {
  return text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const match = /^([\w.[\]-]+)\s+(\S+?)\s*\.\.\s*(\S+)(?:\s+(\w+))?$/.exec(part);
      if (!match)
        throw new AttributeError(
          "sliders",
          `has “${part}”: write the parameter and its range, such as sigma 0.5..10.`,
        );
      const [, field = "", from, to, scale] = match;
      return slider(
        field.replaceAll("-", "_"),
        Number(from),
        Number(to),
        scale === undefined ? {} : { scale },
      );
    });
}

const names: Readonly<Record<string, string>> = {
  sigma: "σ, the noise",
  scale: "b, the noise’s scale",
  noise_multiplier: "σ, the noise multiplier",
  rate: "q, the sampling rate",
  steps: "Steps",
  count: "How often",
  lambda: "λ, the regulariser",
  sensitivity: "Δ, the sensitivity",
  epsilon: "ε of the mechanism",
  rho: "ρ",
  truth: "Probability of the truth",
  lipschitz: "L, the clipping threshold",
};

function nameOf(field: string): string {
  const last = field.slice(field.lastIndexOf(".") + 1);
  return names[last] ?? last;
}
