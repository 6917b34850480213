// Everything that a link to the explorer holds: the curves, their shared parameters, and how they
// are drawn.

import { parameterText } from "../../chart/numbers.ts";
import { type KindName, kindOf } from "./mechanisms.ts";
import {
  type ParameterName,
  parameterNames,
  parameters,
  standardValues,
  type Values,
} from "./parameters.ts";

export const views = ["delta", "epsilon", "rdp", "tradeoff", "sweep"] as const;
export type View = (typeof views)[number];
export const scales = ["auto", "linear", "log"] as const;
export type Scale = (typeof scales)[number];

/** One line of the plot. It follows the shared parameters, but for those of its own. */
export interface CurveState {
  readonly kind: KindName;
  /** Its colour, from 1 to TONES. */
  readonly tone: number;
  readonly hidden: boolean;
  /**
   * All its parameters are its own: it stays where it is while others move, and no budget
   * calibrates it.
   */
  readonly pinned: boolean;
  readonly own: Readonly<Partial<Record<ParameterName, number>>>;
  /** What an equal budget fixes, where that is not the kind's usual parameter. */
  readonly free?: ParameterName;
}

export interface State {
  readonly view: View;
  /** The parameter along the axis of the view "sweep". */
  readonly over: ParameterName;
  /** The δ at which ε is read off, and at which a budget holds. */
  readonly delta: number;
  /** ε of an equal budget; null without one. */
  readonly budget: number | null;
  /** Where the axis of ε (of α, of the parameter) begins and ends; null: chosen. */
  readonly span: readonly [from: number, to: number] | null;
  /** The least power of ten of δ that is drawn; null: chosen. */
  readonly low: number | null;
  readonly x: Scale;
  readonly y: Scale;
  readonly shared: Values;
  readonly curves: readonly CurveState[];
  /** The curve whose theorem and parameters are open. */
  readonly about: number | null;
  /** The preset that this began as, for its words. */
  readonly preset: string;
}

/** No axis goes beyond. */
export const farthest = 1e12;

/** Whether an axis can end there: closer ends have no numbers between them to be written. */
export const canSpan = (from: number, to: number): boolean =>
  from >= 0 && to - from >= 1e-6 * to && to >= 1e-15 && to <= farthest;

/** Colours that a curve can have. */
export const TONES = 6;
/** More lines than this say nothing. */
export const MOST_CURVES = 12;

export const curve = (kind: KindName, tone: number, own: CurveState["own"] = {}): CurveState => ({
  kind,
  tone,
  hidden: false,
  pinned: false,
  own,
});

export const plain: Omit<State, "curves" | "preset"> = {
  view: "delta",
  over: "lambda",
  delta: 1e-5,
  budget: null,
  span: null,
  low: null,
  x: "auto",
  y: "auto",
  shared: standardValues(),
  about: null,
};

/** A curve's parameters as they are: its own where it has them, the shared ones elsewhere. */
export const valuesOf = (state: Pick<State, "shared">, one: CurveState): Values => ({
  ...state.shared,
  ...one.own,
});

/**
 * The parameter that a budget fixes for a curve; undefined where there is no budget, or it does not
 * touch the curve.
 */
export function freeOf(state: Pick<State, "budget">, one: CurveState): ParameterName | undefined {
  const { free } = kindOf(one.kind);
  if (state.budget === null || one.pinned) return undefined;
  return one.free && free.includes(one.free) ? one.free : free[0];
}

/** Whether a curve moves along the axis of the view "sweep". */
export const sweeps = (state: Pick<State, "over">, one: CurveState): boolean =>
  kindOf(one.kind).uses.includes(state.over) && !one.pinned && one.own[state.over] === undefined;

/** Parameters that a slider moves: those that a drawn curve follows. */
export function followed(state: State): ParameterName[] {
  const drawn = state.curves.filter((one) => !one.hidden && !one.pinned);
  return parameterNames.filter((name) => {
    if (
      state.view === "sweep" &&
      state.over === name &&
      state.curves.some((one) => sweeps(state, one))
    )
      return false;
    return drawn.some(
      (one) =>
        kindOf(one.kind).uses.includes(name) &&
        one.own[name] === undefined &&
        freeOf(state, one) !== name,
    );
  });
}

/** Parameters that the axis of the view "sweep" can be. */
export const sweepable = (state: State): ParameterName[] =>
  parameterNames.filter((name) =>
    state.curves.some(
      (one) => kindOf(one.kind).uses.includes(name) && !one.pinned && one.own[name] === undefined,
    ),
  );

const replaced = (state: State, at: number, change: (one: CurveState) => CurveState): State => ({
  ...state,
  curves: state.curves.map((one, i) => (i === at ? change(one) : one)),
});

/** The colour that the fewest curves have. */
export function freshTone(curves: readonly CurveState[]): number {
  const used = Array.from(
    { length: TONES },
    (_, i) => curves.filter((one) => one.tone === i + 1).length,
  );
  return used.indexOf(Math.min(...used)) + 1;
}

export const withView = (state: State, view: View): State => {
  const same =
    (state.view === "delta" && view === "epsilon") ||
    (state.view === "epsilon" && view === "delta");
  const over =
    view === "sweep" && !sweepable(state).includes(state.over)
      ? (sweepable(state)[0] ?? state.over)
      : state.over;
  return {
    ...state,
    view,
    over,
    ...(!same && view !== state.view && { span: null, x: "auto", y: "auto" }),
  };
};

/** A state that can be drawn: where no curve follows a parameter there is no view along one. */
export const drawable = (state: State): State =>
  state.view === "sweep" && sweepable(state).length === 0 ? withView(state, "delta") : state;

export const withShared = (state: State, name: ParameterName, value: number): State => ({
  ...state,
  shared: { ...state.shared, [name]: value },
});

export const withNeighbours = (state: State, adjacency: Values["adjacency"]): State => ({
  ...state,
  shared: { ...state.shared, adjacency },
});

export const withOwn = (
  state: State,
  at: number,
  name: ParameterName,
  value: number | undefined,
): State =>
  replaced(state, at, (one) => {
    const own = { ...one.own };
    if (value === undefined) delete own[name];
    else own[name] = value;
    return { ...one, own };
  });

export const withTone = (state: State, at: number, tone: number): State =>
  replaced(state, at, (one) => ({ ...one, tone }));
export const withHidden = (state: State, at: number, hidden: boolean): State =>
  replaced(state, at, (one) => ({ ...one, hidden }));
export const withFree = (state: State, at: number, free: ParameterName): State =>
  replaced(state, at, ({ free: _, ...one }) =>
    kindOf(one.kind).free[0] === free ? one : { ...one, free },
  );

export const withKind = (state: State, at: number, kind: KindName): State =>
  replaced(state, at, ({ free: _, ...one }) => {
    const { uses } = kindOf(kind);
    const own: Partial<Record<ParameterName, number>> = {};
    for (const name of uses) {
      const value = one.own[name] ?? (one.pinned ? state.shared[name] : undefined);
      if (value !== undefined) own[name] = value;
    }
    return { ...one, kind, own };
  });

/**
 * Pins a curve with the values that it has now (those that a budget gave it too), or lets it follow
 * again.
 */
export const withPin = (state: State, at: number, pinned: boolean, now: Values): State =>
  replaced(state, at, (one) => ({
    ...one,
    pinned,
    own: pinned ? Object.fromEntries(kindOf(one.kind).uses.map((name) => [name, now[name]])) : {},
  }));

export function added(state: State, one: CurveState): State {
  if (state.curves.length >= MOST_CURVES) return state;
  return { ...state, curves: [...state.curves, one], about: state.curves.length };
}

/** A copy, pinned where the original is now. */
export function duplicated(state: State, at: number, now: Values): State {
  if (state.curves.length >= MOST_CURVES) return state;
  const curves = [...state.curves];
  curves.splice(at + 1, 0, { ...curves[at]!, tone: freshTone(curves) });
  return withPin({ ...state, curves, about: at + 1 }, at + 1, true, now);
}

export function removed(state: State, at: number): State {
  return { ...state, curves: state.curves.filter((_, i) => i !== at), about: null };
}

/** A curve's name: its kind, and what it has of its own. */
export function nameOf(one: CurveState): string {
  const { name, uses } = kindOf(one.kind);
  return [
    name,
    ...uses.flatMap((parameter) =>
      one.own[parameter] === undefined ? [] : [ownText(parameter, one.own[parameter])],
    ),
  ].join(", ");
}

const ownText = (name: ParameterName, value: number): string =>
  `${parameters[name].symbol} = ${parameterText(value)}`;

export const same = (a: State, b: State): boolean =>
  JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));

/** The same state always reads the same. */
function ordered(state: State): unknown {
  const { preset: _, ...rest } = state;
  const fixed = (one: CurveState) => [
    one.kind,
    one.tone,
    one.hidden,
    one.pinned,
    one.free ?? null,
    parameterNames.map((name) => one.own[name] ?? null),
  ];
  return [
    rest.view,
    rest.over,
    rest.delta,
    rest.shared.adjacency,
    rest.budget,
    rest.span,
    rest.low,
    rest.x,
    rest.y,
    parameterNames.map((name) => rest.shared[name]),
    rest.curves.map(fixed),
    rest.about,
  ];
}
