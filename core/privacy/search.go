package privacy

import (
	"math"
	"strconv"
)

// The events of this file release which of finitely many candidates has the
// least loss, found exactly and with ties by a fixed public order. A candidate's loss
// is a sum over records of numbers in [0, 1], and Span is the most by which one
// record changes the difference of two losses: 1 where records are added or removed,
// 2 where one is replaced. Both are Epsilon-DP, with δ = 0, and priced as the
// worst such mechanism.

// NoisyMin is report noisy min: the candidate w of the least loss f(w) − g_w,
// with independent noise g_w on every candidate.
//
// With "geometric" noise, P[g ≥ k/T] = e^(−k·Epsilon/(Span·T)) for T = Denominator, it
// is permute-and-flip on a lattice. It is Epsilon-DP: given the other noises, w
// wins where its own reaches a threshold, which one record raises by at most
// Span, and geometric noise that reaches the one reaches the other with
// probability e^(−Epsilon) or more.
//
// With "gumbel" noise of rate Epsilon/Span, and Denominator 0, it is the exponential
// mechanism: P(w) ∝ e^(−Epsilon·f(w)/Span). It is Epsilon-DP, and the range of its
// privacy loss is at most Epsilon, so it is Epsilon²/8-zCDP as well (Cesar & Rogers 2021).
type NoisyMin struct {
	Adjacency   Adjacency
	Epsilon     float64 // nats; from 1e-50 to 1e50
	Span        int     // Δ: 1 for AddRemove, 2 for ReplaceOne
	Noise       NoiseLaw
	Denominator int // T, a power of two up to 2^20; 0 for gumbel noise
}

// NoiseLaw names the law of the noise of one candidate.
type NoiseLaw string

// The laws of noise.
const (
	GeometricNoise NoiseLaw = "geometric"
	GumbelNoise    NoiseLaw = "gumbel"
)

// LargestDenominator is the largest T.
const LargestDenominator = 1 << 20

func (NoisyMin) Mechanism() string       { return "noisy-min" }
func (e NoisyMin) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Epsilon lies from [LeastScale] to [LargestScale], that Span
// is that of the adjacency, the law and its denominator, and the adjacency.
func (e NoisyMin) Validate() error {
	if err := FirstError(
		CheckAdjacency(e.Adjacency), checkScale("epsilon", e.Epsilon),
		checkSpan(e.Span, e.Adjacency),
	); err != nil {
		return err
	}
	switch e.Noise {
	case GeometricNoise:
		return checkDenominator(e.Denominator)
	case GumbelNoise:
		if e.Denominator != 0 {
			return &ParameterError{
				Field: "denominator",
				Value: strconv.Itoa(e.Denominator),
				Want:  "0 for gumbel noise",
			}
		}
		return nil
	}
	return &ParameterError{
		Field: "noise",
		Value: quote(string(e.Noise)),
		Want:  `"geometric" or "gumbel"`,
	}
}

// ProximalCentre is the release of the point w of {−Bound, …, Bound}^Dimension that
// minimises T·f(w) + R‖w‖² − ⟨y, w⟩, T = Denominator, with R from the law
// P[R] ∝ q^R·(4·Bound·R + 1)^Dimension, q = e^(−Epsilon/(Span·T)), and y uniform on
// {−2·Bound·R, …, 2·Bound·R}^Dimension.
//
// It is Epsilon-DP, and no less: the shift (R, y) ↦ (R + S, y + 2S·w), S = Span·T,
// keeps noise for which w wins inside the cone of noises, keeps w the winner when one record
// changes, because S·(‖w‖² − 2⟨w, w⟩) is S·‖u − w‖² ≥ S lower than the same for u,
// and lowers the mass by exactly q^S = e^(−Epsilon).
type ProximalCentre struct {
	Adjacency   Adjacency
	Epsilon     float64 // nats; from 1e-50 to 1e50
	Span        int     // Δ: 1 for AddRemove, 2 for ReplaceOne
	Bound       int     // B, from 1 to 2^53
	Dimension   int     // d, from 1 to 2^53
	Denominator int     // T, a power of two up to 2^20
}

func (ProximalCentre) Mechanism() string       { return "proximal-centre" }
func (e ProximalCentre) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Epsilon lies from [LeastScale] to [LargestScale], that Span
// is that of the adjacency, 1 ≤ Bound, Dimension ≤ [LargestCount], the
// denominator, and the adjacency.
func (e ProximalCentre) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkScale("epsilon", e.Epsilon),
		checkSpan(e.Span, e.Adjacency), checkCount("bound", e.Bound, 1),
		checkCount("dimension", e.Dimension, 1), checkDenominator(e.Denominator),
	)
}

// SpanOf is the Span of a sum of losses in [0, 1] under an adjacency: 0 for
// none.
func SpanOf(a Adjacency) int {
	switch a {
	case AddRemove:
		return 1
	case ReplaceOne:
		return 2
	}
	return 0
}

func checkSpan(span int, a Adjacency) error {
	if span == SpanOf(a) {
		return nil
	}
	return &ParameterError{
		Field: "span",
		Value: strconv.Itoa(span),
		Want:  "1 where records are added or removed, 2 where one is replaced",
	}
}

func checkDenominator(t int) error {
	if frac, _ := math.Frexp(float64(t)); frac == 0.5 && t <= LargestDenominator {
		return nil
	}
	return &ParameterError{
		Field: "denominator",
		Value: strconv.Itoa(t),
		Want:  "a power of two from 1 to 2^20",
	}
}

func decodeNoisyMin(f *Fields) Event {
	return NoisyMin{
		Adjacency:   f.Adjacency(),
		Epsilon:     f.Number("epsilon"),
		Span:        f.Int("span"),
		Noise:       NoiseLaw(f.Text("noise")),
		Denominator: f.IntOr("denominator", 0),
	}
}

func (e NoisyMin) encode(tree map[string]any) {
	tree["epsilon"] = e.Epsilon
	tree["span"] = float64(e.Span)
	tree["noise"] = string(e.Noise)
	if e.Denominator != 0 {
		tree["denominator"] = float64(e.Denominator)
	}
}

func decodeProximalCentre(f *Fields) Event {
	return ProximalCentre{
		Adjacency:   f.Adjacency(),
		Epsilon:     f.Number("epsilon"),
		Span:        f.Int("span"),
		Bound:       f.Int("bound"),
		Dimension:   f.Int("dimension"),
		Denominator: f.Int("denominator"),
	}
}

func (e ProximalCentre) encode(tree map[string]any) {
	tree["epsilon"] = e.Epsilon
	tree["span"] = float64(e.Span)
	tree["bound"] = float64(e.Bound)
	tree["dimension"] = float64(e.Dimension)
	tree["denominator"] = float64(e.Denominator)
}
