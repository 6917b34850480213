import type {
  AnyLabel,
  Budget,
  FitMethod,
  Loss,
  MethodOptions,
  PrivateChoice,
  Schema,
} from "./types.ts";
import { defaultFitMethod, stepsBelow, stepsFitMethod } from "./wire/methods.ts";

/** The loss of a label for which none is named. */
const usualLoss = { two: "logistic", classes: "softmax", numeric: "squared" } as const;

/**
 * The method that a request takes which names none, of such a label: by public numbers alone, as
 * Usual of core/learn/methods decides it. Use it to say beforehand which it will be.
 */
export function usualFitMethod(
  { type = "two" }: { readonly type?: keyof typeof usualLoss | undefined },
  { records, epsilon, loss, bound = "auto", clip, lambda, radius, tau }: Budget & MethodOptions,
): FitMethod {
  const tuned = [clip, lambda, radius, tau].some((given) => given !== undefined);
  const usual: Loss = usualLoss[type];
  return records !== undefined &&
    (loss ?? usual) === usual &&
    bound === "auto" &&
    !tuned &&
    records * epsilon < stepsBelow[type]
    ? stepsFitMethod
    : defaultFitMethod;
}

/**
 * The schema by which the rows of such a fit are best made, as Rows of core/learn/methods decides
 * it: itself, or, for noisy steps towards a number, one that divides all rows by the same length.
 * Open the data with it; the release will say so.
 */
export function schemaForFit<L extends AnyLabel>(
  schema: Schema<L>,
  request: Budget & MethodOptions & PrivateChoice,
): Schema<L> {
  // A choice reads the data once for all its candidates, and one of them takes no steps. Rows of
  // one scale are no better for it: see core/learn/selection.
  const among = request.chooseLambda ?? request.chooseMethod;
  const method = among
    ? defaultFitMethod
    : (request.method ?? usualFitMethod(schema.label, request));
  const scaled =
    method === stepsFitMethod && schema.label.type === "numeric" && schema.rows.norm === "clip";
  return scaled ? { ...schema, version: 7, rows: { norm: "scale" } } : schema;
}

/** By what every row is multiplied, where `rows.norm` is "scale": RowScale of core/data. */
export function rowScale({ features }: Schema<AnyLabel>): number {
  const most = (f: (typeof features)[number]) =>
    f.type === "numeric" && f.missing === "indicator" ? 1.25 : 1;
  const longest = features.reduce((sum, f) => sum + most(f), 0);
  return longest === 0 ? 1 : (1 - (features.length + 8) * 2 ** -53) / Math.sqrt(longest);
}
