package wire

import (
	"cloister/core/account/objective"
)

// Which data sets are neighbours. It has no default anywhere.
type Adjacency string

// Which proof prices an objective perturbation.
//
//   - `auto`: the sharpest one that the class of the loss allows; but for `control` among the fits
//     that a private choice is made between, and in Rényi curves of more than thirty different
//     fits.
//   - `control`: for a loss whose slope has one sign given the label, the logistic one among them:
//     almost what the worst data cost. Sharper than the others where λ is small, and slower.
//   - `logistic`, `rounded-hinge`, `signed`, `glm`: this project's bounds, for the logistic loss,
//     shifted or not, for the rounded hinge, for a loss whose slope has one sign given the label,
//     for any GLM loss.
//   - `profile`, `rdp`: Theorems 3.1 and 3.2 of Redberg, Koskela & Wang (2023).
//   - `kifer`: Kifer, Smith & Thakurta (2012).
type Bound = objective.Bound

// A vector of L2 sensitivity `sensitivity` was released with N(0, sigma² I) added. Both are from
// 1e-50 to 1e50.
type GaussianEvent struct {
	Mechanism   string    `json:"mechanism" is:"gaussian"`
	Adjacency   Adjacency `json:"adjacency"`
	Sensitivity float64   `json:"sensitivity"`
	Sigma       float64   `json:"sigma"`
}

// The parameters of an objective perturbation; see `core/privacy` for their contract. All but
// `dimension` are from 1e-50 to 1e50.
type ObjectiveParameters struct {
	Adjacency Adjacency `json:"adjacency"`
	Loss      string    `json:"loss" is:"logistic|rounded-hinge|softmax|signed|glm|smooth"`
	// R: no row, intercept included, is longer. Not used when loss is "smooth".
	RowNorm float64 `json:"row_norm,omitempty"`
	// L: no record's gradient is longer; with clipping, the threshold. √2·R for the softmax.
	Lipschitz float64 `json:"lipschitz"`
	// β: bound on f''; 0.25 for the logistic loss, shifted or not, 1 for the rounded hinge, 0.5
	// for the softmax.
	Smoothness float64 `json:"smoothness"`
	// λ: strength of the regulariser (λ/2)‖θ‖², beside a SUM over records.
	Lambda float64 `json:"lambda"`
	// σ: standard deviation of each coordinate of the perturbation.
	Sigma float64 `json:"sigma"`
	// d: length of θ, intercept included, all classes of a softmax together; up to 2^53.
	Dimension float64 `json:"dimension,omitempty"`
	// K, from 2 to 4096: number of classes of the softmax; left out for other losses.
	Classes float64 `json:"classes,omitempty"`
}

type ObjectivePerturbationEvent struct {
	ObjectiveParameters

	Mechanism string `json:"mechanism" is:"objective-perturbation"`
}

type ApproximateMinimaEvent struct {
	ObjectiveParameters

	Mechanism string `json:"mechanism" is:"approximate-minima-perturbation"`
	// τ: certified bound on the norm of the perturbed gradient at the solution; 0, or from 1e-50 to
	// 1e50.
	Tau float64 `json:"tau"`
	// σ_out: standard deviation of each coordinate of the output noise; from 1e-50 to 1e50.
	SigmaOut float64 `json:"sigma_out"`
	// Spacing of the lattice that the output lies on: a power of two, at most sigma_out / 2^20; 0
	// for the idealised mechanism.
	Grid float64 `json:"grid,omitempty"`
}

// Laplace noise of density e^(−|x|/scale)/(2·scale) on a vector of L1 sensitivity `sensitivity`.
// Both are from 1e-50 to 1e50.
type LaplaceEvent struct {
	Mechanism   string    `json:"mechanism" is:"laplace"`
	Adjacency   Adjacency `json:"adjacency"`
	Sensitivity float64   `json:"sensitivity"`
	Scale       float64   `json:"scale"`
}

// Noise on a whole number that one record changes by at most `sensitivity`, from 1 to 2^53; `scale`
// is from 1e-50 to 1e50.
type DiscreteLaplaceEvent struct {
	Mechanism   string    `json:"mechanism" is:"discrete-laplace"`
	Adjacency   Adjacency `json:"adjacency"`
	Sensitivity float64   `json:"sensitivity"`
	Scale       float64   `json:"scale"`
}

// Noise of mass ∝ e^(−x²/(2·sigma²)) on a whole number that one record changes by at most
// `sensitivity`, from 1 to 2^53; `sigma` is from 1e-50 to 1e50.
type DiscreteGaussianEvent struct {
	Mechanism   string    `json:"mechanism" is:"discrete-gaussian"`
	Adjacency   Adjacency `json:"adjacency"`
	Sensitivity float64   `json:"sensitivity"`
	Sigma       float64   `json:"sigma"`
}

// One of `categories` values, 2 to 2^53, the true one with probability `truth`, from 1e-300 to
// below 1.
type RandomisedResponseEvent struct {
	Mechanism  string    `json:"mechanism" is:"randomised-response"`
	Adjacency  Adjacency `json:"adjacency"`
	Categories float64   `json:"categories"`
	Truth      float64   `json:"truth"`
}

// Any mechanism that is epsilon-DP; `epsilon` is 0, or from 1e-50 to 1e50.
type PureDPEvent struct {
	Mechanism string    `json:"mechanism" is:"pure-dp"`
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
}

// Any mechanism that is (epsilon, delta)-DP; `epsilon` is 0, or from 1e-50 to 1e50, `delta` 0, or
// from 1e-300 to below 1.
type ApproximateDPEvent struct {
	Mechanism string    `json:"mechanism" is:"approximate-dp"`
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Delta     float64   `json:"delta"`
}

// Any mechanism that is rho-zCDP; `rho` is 0, or from 1e-100 to 1e100.
type ZeroConcentratedEvent struct {
	Mechanism string    `json:"mechanism" is:"zcdp"`
	Adjacency Adjacency `json:"adjacency"`
	Rho       float64   `json:"rho"`
}

// Report noisy min: of finitely many candidates the one whose loss, a sum of numbers in [0, 1] over
// records, is least once an independent noise is taken off each. `epsilon` is from 1e-50 to 1e50;
// `span` is 1 for "add-remove" and 2 for "replace-one".
type NoisyMinEvent struct {
	Mechanism string    `json:"mechanism" is:"noisy-min"`
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Span      int       `json:"span"`
	Noise     string    `json:"noise" is:"geometric|gumbel"`
	// T, for geometric noise, whose unit is 1/T: a power of two up to 2^20.
	Denominator int `json:"denominator,omitempty"`
}

// The whole-number points within `bound` whose loss, with a random weight on the distance to a
// random centre, is least. `epsilon` and `span` are as for report noisy min.
type ProximalCentreEvent struct {
	Mechanism string    `json:"mechanism" is:"proximal-centre"`
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Span      int       `json:"span"`
	Bound     int       `json:"bound"`
	Dimension int       `json:"dimension"`
	// T: a power of two up to 2^20.
	Denominator int `json:"denominator"`
}

// Any mechanism whose Rényi divergence of order `order` (from 1 + 1e-9 to 1e9) is `epsilon` at
// most, in both directions; 0, or from 1e-50 to 1e50.
type RenyiDPEvent struct {
	Mechanism string    `json:"mechanism" is:"renyi-dp"`
	Adjacency Adjacency `json:"adjacency"`
	Order     float64   `json:"order"`
	Epsilon   float64   `json:"epsilon"`
}

// What `test` releases, and then what `release` does with as little noise as the test's output
// allows. `failure` (0, or from 1e-300 to below 1) bounds the probability that the test is wrong
// about the data. The curve is `failure` and that of the two composed.
type ProposeTestReleaseEvent struct {
	Mechanism string       `json:"mechanism" is:"propose-test-release"`
	Adjacency Adjacency    `json:"adjacency"`
	Test      PrivacyEvent `json:"test"`
	Release   PrivacyEvent `json:"release"`
	Failure   float64      `json:"failure"`
	// Needed inside a selection: how likely, under any neighbour of the data, the outputs of the
	// test are that are wrong about the data; the release is then priced in both directions.
	Neighbour float64 `json:"neighbour,omitempty"`
}

// DP-SGD: `steps` Gaussian mechanisms (up to 2^53) on Poisson samples of rate `rate` (0, or from
// 1e-50 to 1), noise `noise_multiplier` times the sensitivity (from 1e-50 to 1e50).
type SubsampledGaussianEvent struct {
	Mechanism       string  `json:"mechanism" is:"subsampled-gaussian"`
	Adjacency       string  `json:"adjacency" is:"add-remove"`
	Rate            float64 `json:"rate"`
	NoiseMultiplier float64 `json:"noise_multiplier"`
	Steps           float64 `json:"steps"`
}

// Noisy gradient descent on the whole data, with a noise for each step. All are from 1e-50 to 1e50.
type GradientDescentEvent struct {
	Mechanism   string    `json:"mechanism" is:"gradient-descent"`
	Adjacency   Adjacency `json:"adjacency"`
	Sensitivity float64   `json:"sensitivity"`
	Sigmas      []float64 `json:"sigmas" ts:"readonly"`
}

// All of the parts, each `count` times (up to 2^53), chosen adaptively. Up to eight compositions
// and selections may stand inside one another.
type CompositionEvent struct {
	Mechanism string    `json:"mechanism" is:"composition"`
	Adjacency Adjacency `json:"adjacency"`
	Parts     []struct {
		Event PrivacyEvent `json:"event"`
		Count float64      `json:"count"`
	} `json:"parts" ts:"readonly"`
}

// One of `events`, not chosen by the records, and told which. It costs what the worst of them
// costs. Use it in a selection for its candidates.
type OneOfEvent struct {
	Mechanism string         `json:"mechanism" is:"one-of"`
	Adjacency Adjacency      `json:"adjacency"`
	Events    []PrivacyEvent `json:"events" ts:"readonly"`
}

// The best of a number of runs of `base` drawn from a truncated negative binomial distribution:
// `eta` from −1 + 1e-9 to 1e9, `gamma` from 1e-50 to below 1.
type NegativeBinomialSelectionEvent struct {
	Mechanism string       `json:"mechanism" is:"negative-binomial-selection"`
	Adjacency Adjacency    `json:"adjacency"`
	Base      PrivacyEvent `json:"base"`
	Eta       float64      `json:"eta"`
	Gamma     float64      `json:"gamma"`
}

// The same with a Poisson number of runs; `mean` is from 1e-50 to 1e50.
type PoissonSelectionEvent struct {
	Mechanism string       `json:"mechanism" is:"poisson-selection"`
	Adjacency Adjacency    `json:"adjacency"`
	Base      PrivacyEvent `json:"base"`
	Mean      float64      `json:"mean"`
}

// The best of runs of `base` that end with probability `tau` after each, and after
// ⌈log(1/cutoff)/tau⌉ in any case (Liu & Talwar 2019). `tau` is from 1e-50 to 1, `cutoff` from
// 1e-300 to below 1.
type LiuTalwarSelectionEvent struct {
	Mechanism string    `json:"mechanism" is:"liu-talwar-selection"`
	Adjacency Adjacency `json:"adjacency"`
	// The guarantee that one run has, as `account` gives it for the run's own event.
	Base   any     `json:"base" ts:"PureDPEvent | ApproximateDPEvent"`
	Tau    float64 `json:"tau"`
	Cutoff float64 `json:"cutoff"`
}

// What was run on private data, as it stands in releases and descriptions.
type PrivacyEvent interface{ isPrivacyEvent() }

func (GaussianEvent) isPrivacyEvent()                  {}
func (ObjectivePerturbationEvent) isPrivacyEvent()     {}
func (ApproximateMinimaEvent) isPrivacyEvent()         {}
func (LaplaceEvent) isPrivacyEvent()                   {}
func (DiscreteLaplaceEvent) isPrivacyEvent()           {}
func (DiscreteGaussianEvent) isPrivacyEvent()          {}
func (RandomisedResponseEvent) isPrivacyEvent()        {}
func (PureDPEvent) isPrivacyEvent()                    {}
func (ApproximateDPEvent) isPrivacyEvent()             {}
func (ZeroConcentratedEvent) isPrivacyEvent()          {}
func (NoisyMinEvent) isPrivacyEvent()                  {}
func (ProximalCentreEvent) isPrivacyEvent()            {}
func (RenyiDPEvent) isPrivacyEvent()                   {}
func (ProposeTestReleaseEvent) isPrivacyEvent()        {}
func (SubsampledGaussianEvent) isPrivacyEvent()        {}
func (GradientDescentEvent) isPrivacyEvent()           {}
func (CompositionEvent) isPrivacyEvent()               {}
func (OneOfEvent) isPrivacyEvent()                     {}
func (NegativeBinomialSelectionEvent) isPrivacyEvent() {}
func (PoissonSelectionEvent) isPrivacyEvent()          {}
func (LiuTalwarSelectionEvent) isPrivacyEvent()        {}

// What is promised: (epsilon, delta)-differential privacy, and by which theorem.
type Guarantee struct {
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Delta     float64   `json:"delta"`
	// Left out where no objective is perturbed.
	Bound Bound `json:"bound,omitempty"`
	// The theorem, cited for people.
	Theorem string `json:"theorem"`
}

// What may be spent on a data set, in all.
type DatasetBudget struct {
	Adjacency Adjacency `json:"adjacency"`
	Epsilon   float64   `json:"epsilon"`
	Delta     float64   `json:"delta"`
}
