// A state as the part of an address after the #, and back.
//
//   #1&preset=figure-4                          a preset as it is
//   #1&from=figure-1-left&set=sigma:5,lambda:20,beta:1&curve=op.profile;1&curve=gauss;2;pin;sigma:5,times:1
//
// The leading 1 is the version of this notation. Values as in `plain` are left out. Numbers are
// JavaScript's shortest, so they come back unchanged. A text that cannot be read is refused as a
// whole, with the reason, because half a state would be another state.

import { type KindName, kindNames, kindOf } from "./mechanisms.ts";
import { type ParameterName, parameterNames, wrong } from "./parameters.ts";
import { defaultPreset, presets, stateOf } from "./presets.ts";
import {
  canSpan,
  type CurveState,
  MOST_CURVES,
  plain,
  same,
  scales,
  type State,
  TONES,
  views,
} from "./state.ts";

const VERSION = "1";

export class AddressError extends Error {}

/** The fragment without its #; empty for the default. */
export function encode(state: State): string {
  const preset = presets.find(({ id }) => id === state.preset);
  if (preset && same(state, stateOf(preset)))
    return preset.id === defaultPreset.id ? "" : `${VERSION}&preset=${preset.id}`;
  const parts: string[] = [VERSION];
  const put = (name: string, value: string, standard: string) =>
    value !== standard && parts.push(`${name}=${value}`);
  put("from", preset ? preset.id : "", "");
  put("view", state.view, plain.view);
  put("over", state.over, plain.over);
  put("delta", String(state.delta), String(plain.delta));
  put("neighbours", state.shared.adjacency, plain.shared.adjacency);
  put("budget", String(state.budget ?? ""), "");
  put("span", state.span ? state.span.join("..") : "", "");
  put("low", String(state.low ?? ""), "");
  put("x", state.x, plain.x);
  put("y", state.y, plain.y);
  put("set", values(state.shared, plain.shared), "");
  for (const one of state.curves) parts.push(`curve=${curveText(one)}`);
  put("about", String(state.about ?? ""), "");
  return parts.join("&");
}

function values(
  given: Readonly<Partial<Record<ParameterName, number>>>,
  but: Readonly<Partial<Record<ParameterName, number>>>,
): string {
  return parameterNames
    .flatMap((name) =>
      given[name] === undefined || given[name] === but[name] ? [] : [`${name}:${given[name]}`],
    )
    .join(",");
}

function curveText({ kind, tone, hidden, pinned, own, free }: CurveState): string {
  return [
    kind,
    tone,
    ...(hidden ? ["hide"] : []),
    ...(pinned ? ["pin"] : []),
    ...(free ? [`free:${free}`] : []),
    ...(Object.keys(own).length > 0 ? [values(own, {})] : []),
  ].join(";");
}

/**
 * The state of a fragment without its #. Throws an AddressError that says, for people, what cannot
 * be read.
 */
export function decode(fragment: string): State {
  if (fragment === "") return stateOf(defaultPreset);
  const [version, ...parts] = unescaped(fragment).split("&");
  if (version !== VERSION)
    throw new AddressError(
      /^\d+$/.test(version ?? "")
        ? `It is of version ${version} of the notation, and this page reads version ${VERSION}.`
        : `It must begin with #${VERSION}.`,
    );
  const given = new Map<string, string>();
  const curves: CurveState[] = [];
  for (const part of parts) {
    const at = part.indexOf("=");
    const [name, value] = at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    if (name === "curve") curves.push(curveOf(value));
    else if (!known.has(name)) throw new AddressError(`“${short(name)}” is not known.`);
    else if (given.has(name)) throw new AddressError(`“${name}” is there twice.`);
    else given.set(name, value);
  }
  if (curves.length > MOST_CURVES)
    throw new AddressError(
      `It has ${curves.length} curves, and more than ${MOST_CURVES} cannot be told apart.`,
    );
  const whole = given.get("preset");
  if (whole !== undefined) {
    if (given.size > 1 || curves.length > 0)
      throw new AddressError("A preset stands alone: what began as one has “from”.");
    return stateOf(presetOf(whole));
  }
  const from = given.get("from");
  return {
    view: among("view", given.get("view"), views, plain.view),
    over: among("over", given.get("over"), parameterNames, plain.over),
    delta: number(
      "delta",
      given.get("delta"),
      plain.delta,
      (x) => x >= 1e-30 && x < 1,
      "between 1e-30 and 1",
    ),
    budget: number(
      "budget",
      given.get("budget"),
      null,
      (x) => x >= 1e-4 && x <= 100,
      "an ε between 0.0001 and 100",
    ),
    span: spanOf(given.get("span")),
    low: number(
      "low",
      given.get("low"),
      null,
      (x) => Number.isInteger(x) && x >= -100 && x <= -1,
      "a whole number from -100 to -1",
    ),
    x: among("x", given.get("x"), scales, plain.x),
    y: among("y", given.get("y"), scales, plain.y),
    shared: {
      ...plain.shared,
      ...parametersOf("set", given.get("set") ?? ""),
      adjacency: among("neighbours", given.get("neighbours"), adjacencies, plain.shared.adjacency),
    },
    curves,
    about: number(
      "about",
      given.get("about"),
      null,
      (x) => Number.isInteger(x) && x >= 0 && x < curves.length,
      "the number of a curve, from 0",
    ),
    preset: from === undefined ? "" : presetOf(from).id,
  };
}

const adjacencies = ["add-remove", "replace-one"] as const;

const known = new Set([
  "preset",
  "from",
  "view",
  "over",
  "delta",
  "neighbours",
  "budget",
  "span",
  "low",
  "x",
  "y",
  "set",
  "about",
]);

const short = (text: string): string => (text.length > 30 ? `${text.slice(0, 30)}…` : text);

function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new AddressError("It has a % that stands for nothing.");
  }
}

function presetOf(id: string) {
  const found = presets.find((preset) => preset.id === id);
  if (!found) throw new AddressError(`There is no preset “${short(id)}”.`);
  return found;
}

function among<T extends string>(
  name: string,
  given: string | undefined,
  allowed: readonly T[],
  standard: T,
): T {
  if (given === undefined) return standard;
  const found = allowed.find((one) => one === given);
  if (found === undefined)
    throw new AddressError(
      `“${name}” is “${short(given)}”: it must be one of ${allowed.join(", ")}.`,
    );
  return found;
}

/** Number() reads the empty text, white space and hexadecimal too. */
const decimal = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function number<T>(
  name: string,
  given: string | undefined,
  standard: T,
  allowed: (x: number) => boolean,
  range: string,
): number | T {
  if (given === undefined) return standard;
  const value = decimal.test(given) ? Number(given) : Number.NaN;
  if (!allowed(value))
    throw new AddressError(`“${name}” is “${short(given)}”: it must be ${range}.`);
  return value;
}

function spanOf(given: string | undefined): State["span"] {
  if (given === undefined) return null;
  const ends = given.split("..");
  const [from, to] = ends.map((end) => (decimal.test(end) ? Number(end) : Number.NaN));
  if (ends.length !== 2 || !canSpan(from!, to!))
    throw new AddressError(
      `“span” is “${short(given)}”: it must be two numbers, far enough apart, such as 0..2.`,
    );
  return [from!, to!];
}

function parametersOf(where: string, text: string): Partial<Record<ParameterName, number>> {
  const out: Partial<Record<ParameterName, number>> = {};
  if (text === "") return out;
  for (const part of text.split(",")) {
    const [given = "", value = "", ...rest] = part.split(":");
    const name = parameterNames.find((one) => one === given);
    if (!name || rest.length > 0)
      throw new AddressError(
        `“${where}” has “${short(part)}”, which is no parameter with its value.`,
      );
    if (out[name] !== undefined) throw new AddressError(`“${where}” has ${name} twice.`);
    const read = decimal.test(value) ? Number(value) : Number.NaN;
    const fault = wrong(name, read);
    if (fault) throw new AddressError(`“${where}” has “${short(part)}”: ${fault}`);
    out[name] = read;
  }
  return out;
}

function curveOf(text: string): CurveState {
  const [given = "", tone = "", ...rest] = text.split(";");
  const kind = kindNames.find((one): one is KindName => one === given);
  if (!kind) throw new AddressError(`There is no kind of curve “${short(given)}”.`);
  const colour = number(
    "curve",
    tone,
    1,
    (x) => Number.isInteger(x) && x >= 1 && x <= TONES,
    `followed by a colour from 1 to ${TONES}`,
  );
  const { uses, free: offered } = kindOf(kind);
  let [hidden, pinned, own, free] = [
    false,
    false,
    {} as CurveState["own"],
    undefined as ParameterName | undefined,
  ];
  for (const part of rest) {
    if (part === "hide") hidden = true;
    else if (part === "pin") pinned = true;
    else if (part.startsWith("free:")) free = among("free", part.slice(5), offered, offered[0]!);
    else own = parametersOf("curve", part);
  }
  const strange = (Object.keys(own) as ParameterName[]).find((name) => !uses.includes(name));
  if (strange) throw new AddressError(`A curve ${kind} has no ${strange}.`);
  if (pinned && uses.some((name) => own[name] === undefined))
    throw new AddressError(
      `A pinned curve has all its parameters; ${kind} needs ${uses.join(", ")}.`,
    );
  return { kind, tone: colour, hidden, pinned, own, ...(free && free !== offered[0] && { free }) };
}
