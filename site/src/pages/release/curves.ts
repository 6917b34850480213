// Asks the accountant for the curves that are shown beside each other: what was spent, and how
// other proofs price the very same event; and for what an attack finds, by the first of them.

import type {
  AccountResult,
  Bound,
  CallOptions,
  Client,
  ComparisonName,
  Guarantee,
  PrivacyEvent,
} from "../../client/types.ts";
import { epsilonGrid } from "../../chart/axes.ts";
import { attackFinds } from "../../chart/meaning.ts";
import type { ChartSeries } from "../../elements/curve-chart.ts";

interface Named {
  readonly label: string;
  readonly note: string;
}

const others: Record<ComparisonName, Named> = {
  auto: { label: "The sharpest proof that applies", note: "this project’s bound" },
  control: {
    label: "The sharpest proof that applies",
    note: "this project’s bound by a control problem",
  },
  logistic: { label: "This project, logistic loss", note: "theory.md §4.3" },
  "rounded-hinge": { label: "This project, rounded hinge", note: "theory.md §4.8" },
  softmax: { label: "This project, softmax", note: "theory.md §4.7" },
  signed: { label: "This project, loss of one slope", note: "theory.md §4.2" },
  glm: { label: "This project, any linear model", note: "theory.md §4.1" },
  profile: { label: "The 2023 paper", note: "Redberg, Koskela & Wang, Theorem 3.1" },
  rdp: {
    label: "The 2023 paper, Rényi form",
    note: "Redberg, Koskela & Wang, Theorems 3.2 and 4.1",
  },
  kifer: { label: "Kifer et al., 2012", note: "Kifer, Smith & Thakurta, for the exact minimiser" },
  "gaussian-lower": {
    label: "No proof can go below",
    note: "the Gaussian mechanism alone; Redberg, Koskela & Wang, Lemma 3.4",
  },
};

const points = 160;

/** What is asked of the accountant about one event, for its picture. */
interface Question {
  /**
   * It is objective perturbation, run once, which the bounds compared are about. Of anything else
   * only the whole is drawn.
   */
  readonly single: boolean;
  /** The ε at which each of the compared bounds meets the promised δ. */
  readonly reaches: ReadonlyMap<ComparisonName, number>;
  /** The ε that are drawn. */
  readonly grid: readonly number[];
  /** The account of the event at these ε, by the bound of its release. */
  readonly ask: (
    curve: readonly number[],
    compare?: readonly ComparisonName[],
  ) => Promise<AccountResult>;
}

/**
 * The grid ends where the comparisons reach the promised δ, or at eight times the promised ε if
 * that comes first. Bounds that do not apply to the event are left out.
 */
async function questionOf(
  client: Client,
  event: PrivacyEvent,
  guarantee: Guarantee,
  options: CallOptions,
): Promise<Question> {
  const { epsilon, delta } = guarantee;
  const single = event.mechanism === "approximate-minima-perturbation";
  const wanted: Bound[] = !single
    ? []
    : (["control", "profile", "rdp", "kifer"] as const).filter((b) => b !== guarantee.bound);
  const reaches = new Map<ComparisonName, number>();
  for (const bound of wanted) {
    if (bound === "control" && guarantee.bound === "auto") continue;
    const answer = await client.account({ event, bound, delta }, options).catch(() => null);
    if (answer?.epsilon !== undefined) reaches.set(bound, answer.epsilon);
  }
  const far = Math.max(epsilon, ...[...reaches.values()].filter(Number.isFinite));
  const end = niceEnd(Math.max(1.6 * epsilon, Math.min(1.12 * far, 8 * epsilon)));
  return {
    single,
    reaches,
    grid: epsilonGrid(end, epsilon, points),
    ask: (curve, compare) =>
      client.account(
        {
          event,
          ...(guarantee.bound && { bound: guarantee.bound }),
          delta,
          curve,
          ...(compare && { compare }),
          // Composed numerically, it is priced as finely as it was calibrated: else it would seem
          // to miss the promise by a little.
          ...(!single && { accuracy: 1e-4 }),
        },
        options,
      ),
  };
}

/** The curves of an event, on one grid of ε. */
export async function curvesOf(
  client: Client,
  event: PrivacyEvent,
  guarantee: Guarantee,
  options: CallOptions = {},
): Promise<ChartSeries[]> {
  const { single, reaches, grid, ask } = await questionOf(client, event, guarantee, options);
  const answer = await ask(grid, single ? [...reaches.keys(), "gaussian-lower"] : undefined);
  const { curve } = answer;
  if (!curve) throw new Error("The accountant answered without a curve.");
  const epsilon = Array.from(curve.epsilon);
  const spent: ChartSeries = {
    id: "spent",
    label: "What this model spent",
    note: curve.theorem,
    epsilon,
    logDelta: Array.from(curve.logDelta),
    ...(answer.epsilon !== undefined && { reaches: answer.epsilon }),
  };
  const rest = (answer.comparisons ?? []).map((curve): ChartSeries => {
    const at = reaches.get(curve.name);
    return {
      id: curve.name,
      ...others[curve.name],
      epsilon,
      logDelta: Array.from(curve.logDelta),
      ...(at !== undefined && { reaches: at }),
    };
  });
  return [spent, ...rest];
}

/** Of so many points of the grid, {@link attackOf} looks at one first. */
const stride = 6;

/**
 * What an attack on an event finds ({@link attackFinds}), at the points of the curve that its
 * release will have. Use it before a fit, where no curve is drawn. As ε grows the figure falls to
 * its least, and then rises: so a few points are looked at first, and then those about the best of
 * them. Of compositions all are asked at once, because what takes time is the same for each.
 */
export async function attackOf(
  client: Client,
  event: PrivacyEvent,
  guarantee: Guarantee,
  options: CallOptions = {},
): Promise<number> {
  const { single, grid, ask } = await questionOf(client, event, guarantee, options);
  const found = async (at: readonly number[]): Promise<number[]> => {
    const { curve } = await ask(at);
    if (!curve) throw new Error("The accountant answered without a curve.");
    return at.map((epsilon, i) =>
      attackFinds({ epsilon: [epsilon], logDelta: [curve.logDelta[i]!] }),
    );
  };
  if (!single) return Math.min(...(await found(grid)));
  const first = await found(grid.filter((_, i) => i % stride === 0));
  const best = first.indexOf(Math.min(...first)) * stride;
  const about = await found(grid.slice(Math.max(0, best - stride + 1), best + stride));
  return Math.min(...first, ...about);
}

/** The next number at or above x with at most two significant digits, the second even. */
function niceEnd(x: number): number {
  const unit = 10 ** Math.floor(Math.log10(x)) / 5;
  return Math.ceil(x / unit - 1e-9) * unit;
}
