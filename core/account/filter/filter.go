// Package filter decides whether a budget affords one more event. Use it when the
// analyst may choose each event after seeing the outputs of the ones before: which
// mechanism, with which parameters, and whether to run one at all. Composition theorems
// with parameters fixed in advance (those behind packages rdp and pld) do not cover
// such choices; a filter does (Rogers, Roth, Ullman & Vadhan 2016).
//
// Outputs are what was charged, and nothing else. The filter does not cover a choice
// made by anything else from the data, such as a model's accuracy on the rows it was
// fitted to. That holds for all choices: which of several models to publish, whether to
// publish at all, and which event comes next. For example, take two fits that claim δ =
// 2e-5 at ε = 0.153 and keep the more accurate one: the result has δ = 0.18 there (the
// tests compute it). Whoever chooses by a figure must pay for that figure, as an event
// of its own or by private selection (package selection).
//
// A [Filter] keeps a total within (ε, δ). An [Odometer] bounds what has been charged so
// far, at any time that the analyst chooses.
package filter

import (
	"errors"
	"math"

	"cloister/core/account/curve"
	"cloister/core/account/rdp"
	"cloister/core/account/selection"
	"cloister/core/privacy"
)

// ErrExceeded is returned by Charge for an event that the budget does not
// afford. Nothing is charged then.
var ErrExceeded = errors.New("the privacy budget does not afford this")

// Filter is a Rényi filter. Its theorem, for orders α₁ … α_m and weights
// w₁ + … + w_m ≤ 1 fixed before anything is released:
//
// Let r_k be the largest number with "D_{α_k} ≤ r_k implies (ε, w_k δ)". Suppose that
// an adaptive sequence of events goes on only while, in each direction, some k has Σ
// D_{α_k}(event) ≤ r_k. Then it is (ε, δ)-DP.
//
// Proof. For one k, stopping before the sum passes r_k is Feldman & Zrnic's
// filter ("Individual Privacy Accounting via a Rényi Filter", 2021, Theorem
// 4.3), so that sequence has D_{α_k} ≤ r_k. Sort transcripts by the first k
// whose sum is within r_k at the end; those of class k have the same
// probability as under the sequence stopped by k, hence
// P(S ∩ class k) ≤ e^ε Q(S ∩ class k) + w_k δ. Sum over k. ∎
//
// The zero Filter is not valid; use New.
type Filter struct {
	budget  privacy.Guarantee
	mass    float64
	spentOf [2]ledger // added, removed
	massed  float64
}

// ledger is one direction's sums against its limits.
type ledger struct {
	orders, limits, spent []float64
}

// New returns a filter for a total of budget. mass, from 0 to below δ, is set
// aside for events that fail outright with some probability ((ε, δ)-DP ones);
// with mass 0 such events are never afforded.
//
// There are five orders. The first is the best one for a Gaussian mechanism that spends
// the whole budget; it has weight 3/4. The others are at a quarter, half, twice and
// four times its distance from 1, with weight 1/16 each. The orders depend only on the
// budget.
func New(budget privacy.Guarantee, mass float64) (*Filter, error) {
	if err := budget.Validate(); err != nil {
		return nil, err
	}
	if !(mass >= 0 && mass < budget.Delta) {
		return nil, &privacy.ParameterError{
			Field: "mass",
			Value: privacy.Number(mass),
			Want:  "0 or more and below delta",
		}
	}
	logDelta := math.Log(budget.Delta - mass)
	best := bestGaussianOrder(budget.Epsilon, func(alpha, r float64) float64 {
		return curve.EpsilonAtOrder(alpha, r, logDelta)
	})
	var one ledger
	for _, choice := range []struct{ factor, weight float64 }{
		{1, 12}, {0.25, 1}, {0.5, 1}, {2, 1}, {4, 1},
	} {
		alpha := 1 + choice.factor*(best-1)
		share := math.Log(choice.weight / 16)
		c := math.Log1p(1 / (alpha - 1)) // −log(1 − 1/α), accurate next to α = 1 too
		limit := budget.Epsilon + c + (logDelta+share+math.Log(alpha))/(alpha-1)
		// Of a limit next to 0 its terms' rounding may be all there is: some units in the
		// last place of each (package curve, at orderSlack), and 2^-53 of log δ.
		terms := math.Abs(logDelta) + math.Abs(share) + math.Log(alpha)
		limit -= 0x1p-48 * (budget.Epsilon + c + terms/(alpha-1))
		if limit > 0 {
			one.orders = append(one.orders, alpha)
			one.limits = append(one.limits, limit*(1-1e-12)) // rounding of what spends it
			one.spent = append(one.spent, 0)
		}
	}
	return &Filter{budget: budget, mass: mass, spentOf: [2]ledger{one, one.copy()}}, nil
}

// bestGaussianOrder returns the order at which r = ρα converts best, for the
// largest ρ that converts to at most epsilon.
func bestGaussianOrder(epsilon float64, convert func(alpha, r float64) float64) float64 {
	order := 2.0
	epsilonOf := func(rho float64) float64 {
		smallest := math.Inf(1)
		return curve.BestOrder(func(alpha float64) float64 {
			value := convert(alpha, rho*alpha)
			if value < smallest {
				smallest, order = value, alpha
			}
			return value
		})
	}
	low, high := 0.0, epsilon // D_∞ aside, ρ < ε always
	for range 60 {
		middle := (low + high) / 2
		if epsilonOf(middle) <= epsilon {
			low = middle
		} else {
			high = middle
		}
	}
	epsilonOf(low)
	return order
}

func (l ledger) copy() ledger {
	l.spent = append([]float64(nil), l.spent...)
	return l
}

// with returns the ledger after one more charge, and whether some order still
// has room.
func (l ledger) with(profile func(alpha float64) float64) (ledger, bool) {
	next, room := l.copy(), false
	for k, alpha := range l.orders {
		next.spent[k] = curve.CertifiedRenyi(
			rdp.SumUp(next.spent[k], curve.CertifiedRenyi(profile(alpha))),
		)
		room = room || next.spent[k] <= l.limits[k]
	}
	return next, room
}

func (l ledger) untouched() bool {
	for _, spent := range l.spent {
		if spent != 0 {
			return false
		}
	}
	return true
}

// Budget returns what New was given.
func (f *Filter) Budget() privacy.Guarantee { return f.budget }

// Affords reports whether event may be run: nil, ErrExceeded, or another error
// if the event is invalid or under another adjacency. It charges nothing.
func (f *Filter) Affords(event privacy.Event) error {
	_, err := f.after(event)
	return err
}

// Charge adds event to what is spent, if it is afforded. A charge must be
// durable before the event's output is shown to anybody.
func (f *Filter) Charge(event privacy.Event) error {
	next, err := f.after(event)
	if err == nil {
		*f = *next
	}
	return err
}

func (f *Filter) after(event privacy.Event) (*Filter, error) {
	if event == nil {
		return nil, &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
	}
	if err := event.Validate(); err != nil {
		return nil, err
	}
	failures, event := selection.WithoutFailures(event)
	mass, rest, err := rdp.WithoutMass(event)
	if err != nil {
		return nil, err
	}
	if rest.Neighbours() != f.budget.Adjacency {
		return nil, &privacy.ParameterError{
			Field: "adjacency", Value: privacy.Quote(rest.Neighbours().String()),
			Want: privacy.Quote(f.budget.Adjacency.String()) + ", that of the budget",
		}
	}
	profile, err := rdp.Of(rest)
	if err != nil {
		return nil, err
	}
	next := *f
	failed := failures.Here
	if failures.There > 0 { // at the budget's ε, of which e^ε may be +∞
		failed += math.Exp(f.budget.Epsilon) * failures.There * (1 + 0x1p-48)
	}
	mass = rdp.SumUp(mass, failed*(1+0x1p-48))
	next.massed = curve.CertifiedEpsilon(rdp.SumUp(next.massed, mass))
	added, room1 := f.spentOf[0].with(profile.Added)
	removed, room2 := f.spentOf[1].with(profile.Removed)
	if !room1 || !room2 || !(next.massed <= f.mass) {
		return nil, ErrExceeded
	}
	next.spentOf = [2]ledger{added, removed}
	return &next, nil
}

// EpsilonUpper returns the ε of everything charged so far, at the budget's δ and by the
// same theorem: the budget that would just have been enough with these orders. It never
// exceeds the budget's ε. It is only a report. To stop early with a guarantee, use an
// [Odometer].
func (f *Filter) EpsilonUpper() float64 {
	worst := 0.0
	for _, l := range f.spentOf {
		if l.untouched() {
			continue
		}
		best := math.Inf(1)
		for k := range l.orders {
			// A limit and its ε move together, one for one.
			best = math.Min(best, f.budget.Epsilon-(l.limits[k]-l.spent[k]))
		}
		worst = math.Max(worst, best)
	}
	return curve.CertifiedEpsilon(math.Max(0, worst))
}
