package report

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/special"
)

// Scope says for whom a bound holds, together, with the probability stated.
type Scope struct {
	// People is for how many people, whose records were fixed before the release:
	// 1 for one person. It must be public: under add/remove the number of records
	// is not.
	People int

	// Everybody is for all records that there can be at once, even ones made up in
	// the light of what was published. People is not looked at then.
	Everybody bool
}

// Range of the probability of failure that a report is evaluated for.
const (
	SmallestRho = 1e-8
	LargestRho  = 0.5
)

func (s Scope) validate(rho float64) error {
	if !s.Everybody && s.People < 1 {
		return &privacy.ParameterError{
			Field: "people",
			Value: strconv.Itoa(s.People),
			Want:  "1 or more",
		}
	}
	if !(rho >= SmallestRho && rho <= LargestRho) {
		return &privacy.ParameterError{
			Field: "rho",
			Value: privacy.Number(rho),
			Want:  "from 1e-8 to 0.5",
		}
	}
	return nil
}

// reach bounds |vᵀx| for a noise vector v with unit variances.
type reach struct {
	byNorm2 float64 // times ‖x‖₂
	byNorm1 float64 // times ‖x‖₁, the smaller of the two counts; +Inf for none
}

func (r reach) of(row data.Row) float64 {
	bound := r.byNorm2 * norm2(row)
	if !math.IsInf(r.byNorm1, 1) {
		bound = math.Min(bound, r.byNorm1*norm1(row))
	}
	return bound
}

// gaussian is the reach of v ~ N(0, I_d) but for a probability of rho.
//
// One record, fixed before v was drawn: vᵀx ~ N(0, ‖x‖²), so the bound is
// Φ⁻¹(1 − ρ/2)·‖x‖ (Theorem 2.3.4, which has √(2 log(2/ρ)) in its place). N records:
// with ρ/N each (Proposition A.3.5, whose √(2 log(n/ρ)) wants 2n for n). All
// records: |vᵀx| ≤ ‖v‖_∞‖x‖₁ and ≤ ‖v‖₂‖x‖₂ for every x whatever, with half of ρ
// each; 2d(1 − Φ(t)) for the first, longest for the second.
func (s Scope) gaussian(rho float64, d int) reach {
	if s.Everybody {
		return reach{longest(d, rho/2), -special.NormalQuantile(rho / 4 / float64(d))}
	}
	return reach{-special.NormalQuantile(rho / 2 / float64(s.People)), math.Inf(1)}
}

// subgaussian is the reach, by ‖x‖₂ alone, of a v of independent or correlated
// coordinates with E e^{uᵀv} ≤ e^{‖u‖²/2}, such as discrete Gaussian noise of
// parameter 1 (Canonne, Kamath & Steinke 2020).
func (s Scope) subgaussian(rho float64, d int) float64 {
	if s.Everybody {
		return longest(d, rho)
	}
	return math.Sqrt(2 * math.Log(2*float64(s.People)/rho))
}

// longest is √(d + 2√(dt) + 2t), t = log(1/ρ): more than ‖v‖ but for a
// probability of ρ, v as for subgaussian (Hsu, Kakade & Zhang 2012, Theorem 2.1).
func longest(d int, rho float64) float64 {
	t := -math.Log(rho)
	return math.Sqrt(float64(d) + 2*math.Sqrt(float64(d)*t) + 2*t)
}

// latticeQuantile is t with P[e > tσ] ≤ rho for discrete Gaussian noise e on a
// lattice of at most σ/2^26: Φ⁻¹(1 − ρ′) and 50 steps of the lattice, ρ′ = ρ less
// what the rounding in the proof of learn.LatticeSensitivity goes beyond them.
func latticeQuantile(rho float64) float64 {
	return -special.NormalQuantile(rho-roundingTail) + roundingSteps/gridRatio
}

const (
	roundingSteps = 50
	roundingTail  = 1e-15 // above 512·2e^−50, for as many coordinates
)
