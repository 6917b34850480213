// Asks the accountant for the curves that are shown beside each other: what was spent, and how
// other proofs price the very same event.

import type {
  Bound,
  CallOptions,
  Client,
  ComparisonName,
  Guarantee,
  PrivacyEvent,
} from "../../client/types.ts";
import { epsilonGrid } from "../../chart/axes.ts";
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

/**
 * The curves of an event, on one grid of ε that ends where the comparisons reach the promised δ, or
 * at eight times the promised ε if that comes first. Bounds that do not apply to the event are left
 * out.
 */
export async function curvesOf(
  client: Client,
  event: PrivacyEvent,
  guarantee: Guarantee,
  options: CallOptions = {},
): Promise<ChartSeries[]> {
  const { epsilon, delta } = guarantee;
  // The bounds compared are about objective perturbation, run once: of anything else only the whole
  // is drawn.
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
  const answer = await client.account(
    {
      event,
      ...(guarantee.bound && { bound: guarantee.bound }),
      delta,
      curve: epsilonGrid(end, epsilon, points),
      // Composed numerically, it is priced as finely as it was calibrated: else it would seem to
      // miss the promise by a little.
      ...(single
        ? { compare: [...reaches.keys(), "gaussian-lower" as const] }
        : { accuracy: 1e-4 }),
    },
    options,
  );
  if (!answer.curve) throw new Error("The accountant answered without a curve.");
  const grid = Array.from(answer.curve.epsilon);
  const spent: ChartSeries = {
    id: "spent",
    label: "What this model spent",
    note: answer.curve.theorem,
    epsilon: grid,
    logDelta: Array.from(answer.curve.logDelta),
    ...(answer.epsilon !== undefined && { reaches: answer.epsilon }),
  };
  const rest = (answer.comparisons ?? []).map((curve): ChartSeries => {
    const at = reaches.get(curve.name);
    return {
      id: curve.name,
      ...others[curve.name],
      epsilon: grid,
      logDelta: Array.from(curve.logDelta),
      ...(at !== undefined && { reaches: at }),
    };
  });
  return [spent, ...rest];
}

/** The next number at or above x with at most two significant digits, the second even. */
function niceEnd(x: number): number {
  const unit = 10 ** Math.floor(Math.log10(x)) / 5;
  return Math.ceil(x / unit - 1e-9) * unit;
}
