package wire

import (
	"cloister/core/account"
)

// How an event is priced.
//
//   - `auto`: the first of the others that applies. Where noisy min with Gumbel noise is composed,
//     the sharper of `pld` and `rdp` at δ = 1e-6.
//   - `closed`: the event's own privacy profile, in closed form or as one integral.
//   - `pld`: its privacy loss distribution, between certified ends.
//   - `rdp`: its Rényi curve, converted at the best order. All that private selection
//     has, but for `liu-talwar-selection`, which is priced by its (ε, δ) promise.
type Method = account.Method

// A curve beside the asked one: a bound by name, or what no proof can beat. `rdp` of an event that
// no bound is about is its Rényi curve, converted.
//
//ts:type Bound | "gaussian-lower"
type ComparisonName string

// Where a curve is drawn: evenly spaced, or at given points (nats). Of 64 points or more some
// events are priced by a bound that is as certified and made for curves: the curve may lie above or
// below what is answered of a single ε.
type Epsilons interface{ isEpsilons() }

// Evenly spaced points, both ends among them.
type EpsilonRange struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Points float64 `json:"points"`
}

func (EpsilonRange) isEpsilons() {}
func (Numbers) isEpsilons()      {}

// What to account for. Give one or more of `epsilon` (answered by δ), `delta` (answered by ε),
// `curve` (answered by δ at every ε) and `orders`.
type AccountDescription struct {
	Event PrivacyEvent `json:"event"`
	// Default `auto`.
	Method Method `json:"method,omitempty"`
	// Which proof prices objective perturbation. Default `auto`.
	Bound Bound `json:"bound,omitempty"`
	// Relative width of certified intervals of ε, 1e-5 to 0.1; default 1e-3. For `auto` and `pld`.
	Accuracy float64  `json:"accuracy,omitempty"`
	Epsilon  float64  `json:"epsilon,omitempty"`
	Delta    float64  `json:"delta,omitempty"`
	Curve    Epsilons `json:"curve,omitempty"`
	// More curves of the same event, at the same points. Needs `curve`.
	Compare []ComparisonName `json:"compare,omitempty" ts:"readonly"`
	// Rényi orders α ≥ 1 to list the divergence's bound at. Needs `method: "rdp"`.
	Orders Numbers `json:"orders,omitempty"`
}

// δ̂(ε) at every ε. Upper bounds never lie below the true δ, lower ones never above.
type PrivacyCurve struct {
	Name    ComparisonName `json:"name"`
	Theorem string         `json:"theorem"`
	Side    string         `json:"side" is:"upper|lower"`
	Epsilon Float64Array   `json:"epsilon"`
	// At most 1. Where δ is below 5e-324 an upper bound says that, a lower one 0; `logDelta` has it
	// still.
	Delta Float64Array `json:"delta"`
	// Natural logarithm of δ.
	LogDelta Float64Array `json:"logDelta"`
	// Certified lower ends, where the method has them (`pld`): no smaller δ could be promised.
	DeltaLower    Float64Array `json:"deltaLower,omitempty"`
	LogDeltaLower Float64Array `json:"logDeltaLower,omitempty"`
}

// Upper bounds on the Rényi divergence at each order, in nats; Infinity where there is none.
type RenyiCurve struct {
	Order Float64Array `json:"order"`
	// Of the output with a record against the output without it; the two are alike for replace-one.
	Added   Float64Array `json:"added"`
	Removed Float64Array `json:"removed"`
}

type AccountResult struct {
	Adjacency Adjacency `json:"adjacency"`
	// The one that was used, never `auto`.
	Method  Method `json:"method" not:"auto"`
	Bound   Bound  `json:"bound"`
	Theorem string `json:"theorem"`
	// Present if `delta` was asked: the event is (epsilon, delta)-DP. May be Infinity.
	Epsilon float64 `json:"epsilon,omitempty"`
	// Beside `epsilon` where the method is `pld`: no smaller ε could be promised. Of objective
	// perturbation, which is priced by a bound, it is that of the Gaussian mechanism that no
	// analysis can do better than, which may be far below `epsilon`; of all else the interval is
	// narrow.
	EpsilonLower float64 `json:"epsilonLower,omitempty"`
	// Present if `epsilon` was asked: the event is (epsilon, delta)-DP.
	Delta      float64 `json:"delta,omitempty"`
	DeltaLower float64 `json:"deltaLower,omitempty"`
	// Natural logarithm of `delta`.
	LogDelta      float64      `json:"logDelta,omitempty"`
	LogDeltaLower float64      `json:"logDeltaLower,omitempty"`
	Curve         PrivacyCurve `json:"curve,omitempty"`
	// In the order asked. A bound that does not apply to the event at all (kifer for a Gaussian
	// mechanism, say) is left out and named in `inapplicable`.
	Comparisons  []PrivacyCurve `json:"comparisons,omitempty"`
	Inapplicable []struct {
		Name    ComparisonName `json:"name"`
		Message string         `json:"message"`
	} `json:"inapplicable,omitempty"`
	// Present if `orders` were asked.
	Renyi RenyiCurve `json:"renyi,omitempty"`
}

// The same questions, answered quickly and without a promise: for dragging a slider.
type EstimateDescription struct {
	Event PrivacyEvent `json:"event"`
	Bound Bound        `json:"bound,omitempty"`
	// Default `pld`, which is near the truth and says how near. `rdp` gives log δ by saddle points
	// of the Rényi divergences: a whole curve at once and roughly, Infinity where they do not
	// reach.
	Method Method `json:"method,omitempty" ts:"'pld' | 'rdp'"`
	// Of the interval that stands in where the quick way does not settle. For `pld`.
	Accuracy float64 `json:"accuracy,omitempty"`
	Epsilon  float64 `json:"epsilon,omitempty"`
	// For `pld`.
	Delta float64  `json:"delta,omitempty"`
	Curve Epsilons `json:"curve,omitempty"`
	// Rényi orders α ≥ 1 to estimate the linearised divergence at, of one objective perturbation of
	// a linear model: the proof of that bound has a gap. Needs `method: "rdp"`.
	Orders Numbers `json:"orders,omitempty"`
}

// Estimates, never bounds. A spread is how far two ways of computing one lie apart; nothing is
// proved of either.
type EstimateResult struct {
	Adjacency Adjacency `json:"adjacency"`
	// Present if `delta` was asked.
	EstimatedEpsilon float64 `json:"estimatedEpsilon,omitempty"`
	EpsilonSpread    float64 `json:"epsilonSpread,omitempty"`
	// Present if `epsilon` was asked: the natural logarithm of δ.
	EstimatedLogDelta float64 `json:"estimatedLogDelta,omitempty"`
	LogDeltaSpread    float64 `json:"logDeltaSpread,omitempty"`
	Curve             struct {
		Epsilon           Float64Array `json:"epsilon"`
		EstimatedLogDelta Float64Array `json:"estimatedLogDelta"`
		// With the method `pld`.
		LogDeltaSpread Float64Array `json:"logDeltaSpread,omitempty"`
	} `json:"curve,omitempty"`
	// Present if `orders` were asked.
	Renyi struct {
		Order     Float64Array `json:"order"`
		Estimated Float64Array `json:"estimated"`
	} `json:"renyi,omitempty"`
}

// The worst case of one objective perturbation by the control problem, at `epsilon` above 0. For
// losses whose slope has one sign.
type WorstDescription struct {
	Event   PrivacyEvent `json:"event"`
	Epsilon float64      `json:"epsilon"`
}

// The slope of the record's loss, in units of its largest, by the noise along the record's row, in
// σ. Noise rises, and the slope falls.
type SlopePath struct {
	Noise Float64Array `json:"noise"`
	Slope Float64Array `json:"slope"`
}

// Natural logarithms of δ, of the direction in which a record is added.
type WorstResult struct {
	// Upper bound: what the bound `control` promises.
	LogDelta float64 `json:"logDelta"`
	// Of one Gaussian mechanism with the same noise: below it no bound can be.
	LogDeltaGaussian float64 `json:"logDeltaGaussian"`
	// What `data` cost, computed but not certified. Data sets come as near to it as one likes.
	LogDeltaData float64 `json:"logDeltaData"`
	// Nothing costs more than a record whose slope is the largest whatever the noise.
	Pinned bool `json:"pinned"`
	// The path that costs most, unless that is pinned.
	Path SlopePath `json:"path,omitempty"`
	// Down to this slope the path falls as fast as λ lets it.
	Turn float64 `json:"turn,omitempty"`
	// The path that falls so fast all the way, where it costs most.
	Data SlopePath `json:"data"`
	// The λ from which on the price is that of one Gaussian mechanism, where a theorem says so: for
	// the logistic loss without clipping.
	FreeLambda float64 `json:"freeLambda,omitempty"`
}

// What all methods say of one event: about ε at `delta`, or about log δ at `epsilon`. Give one of
// the two.
type CheckDescription struct {
	Event    PrivacyEvent `json:"event"`
	Bound    Bound        `json:"bound,omitempty"`
	Accuracy float64      `json:"accuracy,omitempty"`
	Epsilon  float64      `json:"epsilon,omitempty"`
	Delta    float64      `json:"delta,omitempty"`
}

// Upper bounds by every method that can price the event, and the certified interval. If an upper
// bound were below the lower end, the call would have been rejected with `internal`: the library
// would be wrong somewhere.
type CheckResult struct {
	Adjacency Adjacency `json:"adjacency"`
	Of        string    `json:"of" is:"epsilon|logDelta"`
	Closed    float64   `json:"closed,omitempty"`
	RDP       float64   `json:"rdp,omitempty"`
	Lower     float64   `json:"lower,omitempty"`
	Upper     float64   `json:"upper,omitempty"`
}

// Which value of one parameter gives (epsilon, delta)-DP, the rest of the event being what it is.
type SolveDescription struct {
	// The parameter itself may be left out where it is one of the event's own fields.
	Event any `json:"event" ts:"PrivacyEvent | (Record<string, unknown> & Pick<PrivacyEvent, 'mechanism' | 'adjacency'>)"`
	// Path of the parameter in the event: `sigma`, `scale`, `noise_multiplier`, `rate`, `steps`,
	// `lambda`, `truth`, `epsilon`, `rho`, `gamma`, `mean`, `tau`, one of these inside another
	// event (`parts[1].event.sigma`, `base.rate`), or `parts[0].count`. `noise`, for any event, and
	// `sigmas` stand for a factor common to all noise that is given.
	Parameter string  `json:"parameter"`
	Epsilon   float64 `json:"epsilon"`
	Delta     float64 `json:"delta"`
	Bound     Bound   `json:"bound,omitempty"`
	// How the event is priced at every value that is tried. Default `auto`.
	Method Method `json:"method,omitempty"`
}

type SolveResult struct {
	Parameter string `json:"parameter"`
	// On the safe side, to four digits or better: noise rounded up, rates and whole numbers down.
	Value float64 `json:"value"`
	// With that value. Priced again with `accuracy: 1e-4` (1e-5 where `estimatedExcess` is above
	// 1e-3), it has the guarantee.
	Event     PrivacyEvent `json:"event"`
	Method    Method       `json:"method" not:"auto"`
	Guarantee Guarantee    `json:"guarantee"`
	// Certified δ of the event at the guarantee's ε; at most the one asked.
	Delta float64 `json:"delta"`
	// By how much, relative to `value`, a sharper certificate could at most improve on it, as an
	// estimate. 1: not known.
	EstimatedExcess float64 `json:"estimatedExcess"`
}

// One event, or `count` of it, that may have been chosen in the light of all outputs before it.
type Charge struct {
	Event PrivacyEvent `json:"event"`
	// Default 1.
	Count float64 `json:"count,omitempty"`
}

// May one more event be afforded, when every event may depend on the outputs before it?
type AffordDescription struct {
	Budget DatasetBudget `json:"budget"`
	// The part of δ that is set aside for events which fail outright with some probability ((ε,
	// δ)-DP ones). Default 0.
	Mass      float64  `json:"mass,omitempty"`
	Charged   []Charge `json:"charged" ts:"readonly"`
	Candidate Charge   `json:"candidate,omitempty"`
}

type AffordResult struct {
	Adjacency Adjacency `json:"adjacency"`
	// What was charged so far amounts to, at the budget's δ. Not a guarantee to stop at: see
	// [OdometerDescription].
	Epsilon float64 `json:"epsilon"`
	// Present if there was a candidate.
	Affords bool `json:"affords,omitempty"`
	// Present if it is afforded.
	EpsilonAfter float64 `json:"epsilonAfter,omitempty"`
}

// What holds, with probability 1 − delta, at every time at once for what was charged so far.
type OdometerDescription struct {
	Adjacency Adjacency `json:"adjacency"`
	Delta     float64   `json:"delta"`
	Charged   []Charge  `json:"charged" ts:"readonly"`
}

type OdometerResult struct {
	Adjacency Adjacency `json:"adjacency"`
	// In steps of a factor √2; Infinity beyond the last.
	Epsilon float64 `json:"epsilon"`
}

// A list of numbers, in bulk or not.
//
//ts:type readonly number[] | Float64Array
type Numbers []float64
