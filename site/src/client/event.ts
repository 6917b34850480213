/** Which data sets are neighbours. It has no default anywhere. */
export type Adjacency = "add-remove" | "replace-one";

/**
 * Which proof prices an objective perturbation.
 *
 * - `auto`: the sharpest one that applies.
 * - `logistic`, `signed`, `glm`: this project's bounds, for the logistic loss,
 *   for a loss whose slope has one sign given the label, for any GLM loss.
 * - `profile`, `rdp`: Theorems 3.1 and 3.2 of Redberg, Koskela & Wang (2023).
 * - `kifer`: Kifer, Smith & Thakurta (2012).
 */
export type Bound = "auto" | "logistic" | "signed" | "glm" | "profile" | "rdp" | "kifer";

/** A vector of L2 sensitivity `sensitivity` was released with N(0, sigma² I) added. */
export interface GaussianEvent {
  mechanism: "gaussian";
  adjacency: Adjacency;
  sensitivity: number;
  sigma: number;
}

/** The parameters of an objective perturbation; see `core/privacy` for their contract. */
export interface ObjectiveParameters {
  adjacency: Adjacency;
  loss: "logistic" | "signed" | "glm" | "smooth";
  /** R: no row, intercept included, is longer. Not used when loss is "smooth". */
  row_norm?: number;
  /** L: no record's gradient is longer; with clipping, the threshold. */
  lipschitz: number;
  /** β: bound on f''; 0.25 for the logistic loss. */
  smoothness: number;
  /** λ: strength of the regulariser (λ/2)‖θ‖², beside a SUM over records. */
  lambda: number;
  /** σ: standard deviation of each coordinate of the perturbation. */
  sigma: number;
  /** d: length of θ, intercept included. */
  dimension?: number;
}

export interface ObjectivePerturbationEvent extends ObjectiveParameters {
  mechanism: "objective-perturbation";
}

export interface ApproximateMinimaEvent extends ObjectiveParameters {
  mechanism: "approximate-minima-perturbation";
  /** τ: certified bound on the norm of the perturbed gradient at the solution. */
  tau: number;
  /** σ_out: standard deviation of each coordinate of the output noise. */
  sigma_out: number;
  /** Spacing of the lattice that the output lies on; 0 for the idealised mechanism. */
  grid?: number;
}

/** Laplace noise of density e^(−|x|/scale)/(2·scale) on a vector of L1 sensitivity `sensitivity`. */
export interface LaplaceEvent {
  mechanism: "laplace";
  adjacency: Adjacency;
  sensitivity: number;
  scale: number;
}

/** Noise on a whole number that one record changes by at most `sensitivity`. */
export interface DiscreteLaplaceEvent {
  mechanism: "discrete-laplace";
  adjacency: Adjacency;
  sensitivity: number;
  scale: number;
}

/** Noise of mass ∝ e^(−x²/(2·sigma²)) on a whole number that one record changes by at most `sensitivity`. */
export interface DiscreteGaussianEvent {
  mechanism: "discrete-gaussian";
  adjacency: Adjacency;
  sensitivity: number;
  sigma: number;
}

/** One of `categories` values, the true one with probability `truth`. */
export interface RandomisedResponseEvent {
  mechanism: "randomised-response";
  adjacency: Adjacency;
  categories: number;
  truth: number;
}

/** Any mechanism that is epsilon-DP. */
export interface PureDPEvent {
  mechanism: "pure-dp";
  adjacency: Adjacency;
  epsilon: number;
}

/** Any mechanism that is (epsilon, delta)-DP. */
export interface ApproximateDPEvent {
  mechanism: "approximate-dp";
  adjacency: Adjacency;
  epsilon: number;
  delta: number;
}

/** Any mechanism that is rho-zCDP. */
export interface ZeroConcentratedEvent {
  mechanism: "zcdp";
  adjacency: Adjacency;
  rho: number;
}

/** DP-SGD: `steps` Gaussian mechanisms on Poisson samples of rate `rate`, noise `noise_multiplier` times the sensitivity. */
export interface SubsampledGaussianEvent {
  mechanism: "subsampled-gaussian";
  adjacency: "add-remove";
  rate: number;
  noise_multiplier: number;
  steps: number;
}

/** Noisy gradient descent on the whole data, with a noise for each step. */
export interface GradientDescentEvent {
  mechanism: "gradient-descent";
  adjacency: Adjacency;
  sensitivity: number;
  sigmas: readonly number[];
}

/** All of the parts, each `count` times, chosen adaptively. */
export interface CompositionEvent {
  mechanism: "composition";
  adjacency: Adjacency;
  parts: readonly { event: PrivacyEvent; count: number }[];
}

/** The best of a number of runs of `base` drawn from a truncated negative binomial distribution. */
export interface NegativeBinomialSelectionEvent {
  mechanism: "negative-binomial-selection";
  adjacency: Adjacency;
  base: PrivacyEvent;
  eta: number;
  gamma: number;
}

/** The same with a Poisson number of runs. */
export interface PoissonSelectionEvent {
  mechanism: "poisson-selection";
  adjacency: Adjacency;
  base: PrivacyEvent;
  mean: number;
}

/** The best of runs of `base` that end with probability `tau` after each, and after ⌈log(1/cutoff)/tau⌉ in any case (Liu & Talwar 2019). */
export interface LiuTalwarSelectionEvent {
  mechanism: "liu-talwar-selection";
  adjacency: Adjacency;
  /** The guarantee that one run has, as `account` gives it for the run's own event. */
  base: PureDPEvent | ApproximateDPEvent;
  tau: number;
  cutoff: number;
}

/** What was run on private data, as it stands in releases and descriptions. */
export type PrivacyEvent =
  | GaussianEvent
  | ObjectivePerturbationEvent
  | ApproximateMinimaEvent
  | LaplaceEvent
  | DiscreteLaplaceEvent
  | DiscreteGaussianEvent
  | RandomisedResponseEvent
  | PureDPEvent
  | ApproximateDPEvent
  | ZeroConcentratedEvent
  | SubsampledGaussianEvent
  | GradientDescentEvent
  | CompositionEvent
  | NegativeBinomialSelectionEvent
  | PoissonSelectionEvent
  | LiuTalwarSelectionEvent;

/** What is promised: (epsilon, delta)-differential privacy, and by which theorem. */
export interface Guarantee {
  adjacency: Adjacency;
  epsilon: number;
  delta: number;
  /** Left out where no objective is perturbed. */
  bound?: Bound;
  /** The theorem, cited for people. */
  theorem: string;
}
