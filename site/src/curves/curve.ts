// A question to the accountant: which mechanism, priced by which proof, in which view.

import { count, parameterText, readable, readableBound } from "../chart/numbers.ts";
import type { Bound, Method, PrivacyEvent } from "../client/types.ts";

export const views = ["delta", "epsilon", "rdp", "tradeoff"] as const;
export type View = (typeof views)[number];

/** One line of the plot. */
export interface Curve {
  readonly label: string;
  /** Beside the label. */
  readonly suffix?: string;
  readonly event: PrivacyEvent;
  readonly bound?: Bound;
  readonly method?: Method;
  /** Not what holds, but what no proof can go below. */
  readonly lowest?: boolean;
}

/** An event in a few words, with its parameters as they are now. */
export function described(event: PrivacyEvent): string {
  switch (event.mechanism) {
    case "gaussian":
      return `Gaussian noise, σ = ${ratio(event.sigma, event.sensitivity)}`;
    case "discrete-gaussian":
      return `Discrete Gaussian noise, σ = ${ratio(event.sigma, event.sensitivity)}`;
    case "laplace":
      return `Laplace noise, b = ${ratio(event.scale, event.sensitivity)}`;
    case "discrete-laplace":
      return `Discrete Laplace noise, b = ${ratio(event.scale, event.sensitivity)}`;
    case "randomised-response":
      return `Randomised response, truth with probability ${readable(event.truth)}`;
    case "pure-dp":
      return `${readableBound(event.epsilon)}-DP`;
    case "approximate-dp":
      return `(${readableBound(event.epsilon)}, ${readableBound(event.delta)})-DP`;
    case "zcdp":
      return `${readableBound(event.rho)}-zCDP`;
    case "noisy-min":
      return `Report noisy min, ε = ${readableBound(event.epsilon)}`;
    case "proximal-centre":
      return `Proximal centre, ε = ${readableBound(event.epsilon)}`;
    case "renyi-dp":
      return `Rényi divergence ${readableBound(event.epsilon)} of order ${readable(event.order)}`;
    case "propose-test-release":
      return "A test, and a release by its outcome";
    case "subsampled-gaussian":
      return `DP-SGD, q = ${parameterText(event.rate)}, σ = ${parameterText(event.noise_multiplier)}, ${count(event.steps)} steps`;
    case "gradient-descent":
      return `Noisy gradient descent, ${event.sigmas.length} steps`;
    case "objective-perturbation":
    case "approximate-minima-perturbation":
      return `Objective perturbation, σ = ${parameterText(event.sigma)}, λ = ${parameterText(event.lambda)}`;
    case "composition": {
      const [part] = event.parts;
      if (event.parts.length === 1 && part)
        return part.count === 1
          ? described(part.event)
          : `${described(part.event)}, ${count(part.count)} times`;
      return `${event.parts.length} mechanisms together`;
    }
    case "one-of":
      return `One of ${readable(event.events.length)} mechanisms`;
    case "negative-binomial-selection":
    case "poisson-selection":
    case "liu-talwar-selection":
      return "Best of several private runs";
    default:
      // A newer release may have an event that is not known here; one that is has a case above.
      return (event satisfies never as PrivacyEvent).mechanism;
  }
}

const ratio = (noise: number, sensitivity: number): string =>
  sensitivity === 1 ? parameterText(noise) : `${parameterText(noise / sensitivity)} Δ`;
