// A slider for one parameter of an event. It turns a place on its track into a value, and puts
// that value into the event.

import { readable } from "../chart/numbers.ts";

export interface Slider {
  /** The field of the events that it moves, or a path to one: `sigma`, `parts[0].event.sigma`. */
  readonly field: string;
  readonly from: number;
  readonly to: number;
  readonly log: boolean;
  readonly whole: boolean;
  readonly label: string;
}

/** Places on a track. */
export const TRACK = 500;

/**
 * The value at a place from 0 to TRACK: three significant digits, so that it can be said and
 * shared.
 */
export function valueAt(s: Slider, place: number): number {
  const t = Math.max(0, Math.min(1, place / TRACK));
  const exact = s.log ? s.from * (s.to / s.from) ** t : s.from + (s.to - s.from) * t;
  const value = s.whole ? Math.round(Number(exact.toPrecision(3))) : Number(exact.toPrecision(3));
  return Math.max(s.from, Math.min(s.to, value));
}

export function placeOf(s: Slider, value: number): number {
  const t = s.log
    ? Math.log(value / s.from) / Math.log(s.to / s.from)
    : (value - s.from) / (s.to - s.from);
  return Math.round(TRACK * Math.max(0, Math.min(1, Number.isFinite(t) ? t : 0)));
}

export const shown = (value: number): string => readable(value);

type Tree = { [name: string]: unknown };

const steps = (path: string): string[] => path.replaceAll("[", ".").replaceAll("]", "").split(".");

/** The number at a path of an event; undefined if there is none. */
export function fieldOf(event: object, path: string): number | undefined {
  let at: unknown = event;
  for (const step of steps(path))
    at = typeof at === "object" && at !== null ? (at as Tree)[step] : undefined;
  return typeof at === "number" ? at : undefined;
}

/**
 * The path to the number that a slider's field names in an event, which may be what was run several
 * times; undefined if there is none.
 */
export function pathIn(event: object, field: string): string | undefined {
  return [field, `parts[0].${field}`, `parts[0].event.${field}`].find(
    (path) => fieldOf(event, path) !== undefined,
  );
}

/** The event with another number at a path. */
export function withField<T extends object>(event: T, path: string, value: number): T {
  const [first = "", ...rest] = steps(path);
  const copy = (Array.isArray(event) ? [...event] : { ...event }) as Tree;
  copy[first] = rest.length === 0 ? value : withField(copy[first] as object, rest.join("."), value);
  return copy as T;
}
