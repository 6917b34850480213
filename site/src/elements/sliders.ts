// Sliders for parameters of events: what authors write, and how a place on the track is a value.

import { readable } from "../chart/numbers.ts";
import { AttributeError } from "./attributes.ts";

export interface Slider {
  /** The field of the events that it moves, or a path to one: `sigma`, `parts[0].event.sigma`. */
  readonly field: string;
  readonly from: number;
  readonly to: number;
  readonly log: boolean;
  readonly whole: boolean;
  readonly label: string;
}

/** Fields that count something. */
const counted = /(?:^|\.)(?:steps|count|dimension|categories|n)$/;

/** Places on a track. */
export const TRACK = 500;

export function slider(field: string, from: number, to: number, more: { label?: string; scale?: string } = {}): Slider {
  const wrong = (problem: string) => new AttributeError("sliders", `has ${field}, which ${problem}`);
  if (!Number.isFinite(from) || !Number.isFinite(to) || !(from < to)) throw wrong("needs two numbers, the smaller one first: sigma 0.5..10.");
  if (more.scale !== undefined && more.scale !== "log" && more.scale !== "linear") throw wrong(`has the scale “${more.scale}”: it must be linear or log.`);
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
      if (!match) throw new AttributeError("sliders", `has “${part}”: write the parameter and its range, such as sigma 0.5..10.`);
      const [, field = "", from, to, scale] = match;
      return slider(field.replaceAll("-", "_"), Number(from), Number(to), scale === undefined ? {} : { scale });
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

/** The value at a place from 0 to TRACK: three significant digits, so that it can be said and shared. */
export function valueAt(s: Slider, place: number): number {
  const t = Math.max(0, Math.min(1, place / TRACK));
  const exact = s.log ? s.from * (s.to / s.from) ** t : s.from + (s.to - s.from) * t;
  const value = s.whole ? Math.round(Number(exact.toPrecision(3))) : Number(exact.toPrecision(3));
  return Math.max(s.from, Math.min(s.to, value));
}

export function placeOf(s: Slider, value: number): number {
  const t = s.log ? Math.log(value / s.from) / Math.log(s.to / s.from) : (value - s.from) / (s.to - s.from);
  return Math.round(TRACK * Math.max(0, Math.min(1, Number.isFinite(t) ? t : 0)));
}

export const shown = (value: number): string => readable(value);

type Tree = { [name: string]: unknown };

const steps = (path: string): string[] => path.replaceAll("[", ".").replaceAll("]", "").split(".");

/** The number at a path of an event; undefined if there is none. */
export function fieldOf(event: object, path: string): number | undefined {
  let at: unknown = event;
  for (const step of steps(path)) at = typeof at === "object" && at !== null ? (at as Tree)[step] : undefined;
  return typeof at === "number" ? at : undefined;
}

/** The path to the number that a slider's field names in an event, which may be what was run several times; undefined if there is none. */
export function pathIn(event: object, field: string): string | undefined {
  return [field, `parts[0].${field}`, `parts[0].event.${field}`].find((path) => fieldOf(event, path) !== undefined);
}

/** The event with another number at a path. */
export function withField<T extends object>(event: T, path: string, value: number): T {
  const [first = "", ...rest] = steps(path);
  const copy = (Array.isArray(event) ? [...event] : { ...event }) as Tree;
  copy[first] = rest.length === 0 ? value : withField(copy[first] as object, rest.join("."), value);
  return copy as T;
}
