import type { Budget, FitMethod, Loss, MethodOptions } from "./types.ts";
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
