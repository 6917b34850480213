// Package filter decides whether one more event can be afforded under a
// budget when every event may have been chosen in the light of the outputs of
// the ones before: not only its data, but which mechanism, with which
// parameters, and whether at all. Composition theorems with parameters fixed in
// advance (those behind packages rdp and pld) do not cover that; a filter does
// (Rogers, Roth, Ullman & Vadhan 2016).
//
// A [Filter] keeps a total within (ε, δ); an [Odometer] says, at any time that
// the analyst chooses, a bound that holds with what has been charged so far.
package filter

import (
	"errors"
	"math"

	"cloister/core/account"
	"cloister/core/account/rdp"
	"cloister/core/privacy"
)

// ErrExceeded is returned by Charge for an event that the budget does not
// afford. Nothing is charged then.
var ErrExceeded = errors.New("the privacy budget does not afford this")

// Filter is a Rényi filter. Its theorem, for orders α₁ … α_m and weights
// w₁ + … + w_m ≤ 1 fixed before anything is released:
//
// Let r_k be the largest number with "D_{α_k} ≤ r_k implies (ε, w_k δ)". An
// adaptive sequence of events that goes on only while, in each direction, some
// k has Σ D_{α_k}(event) ≤ r_k is (ε, δ)-DP.
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
// The orders are the one that is best for a Gaussian mechanism that spends the
// whole budget, with weight 3/4, and a quarter, half, twice and four times its
// distance from 1 with 1/16 each. They depend on the budget alone.
func New(budget privacy.Guarantee, mass float64) (*Filter, error) {
	if err := budget.Validate(); err != nil {
		return nil, err
	}
	if !(mass >= 0 && mass < budget.Delta) {
		return nil, &privacy.ParameterError{Field: "mass", Value: privacy.Number(mass), Want: "0 or more and below delta"}
	}
	logDelta := math.Log(budget.Delta - mass)
	best := bestGaussianOrder(budget.Epsilon, func(alpha, r float64) float64 {
		return account.EpsilonAtOrder(alpha, r, logDelta)
	})
	var one ledger
	for _, choice := range []struct{ factor, weight float64 }{{1, 12}, {0.25, 1}, {0.5, 1}, {2, 1}, {4, 1}} {
		alpha := 1 + choice.factor*(best-1)
		limit := budget.Epsilon - math.Log1p(-1/alpha) + (logDelta+math.Log(choice.weight/16)+math.Log(alpha))/(alpha-1)
		if limit > 0 {
			one.orders = append(one.orders, alpha)
			one.limits = append(one.limits, limit*(1-1e-12)) // rounding of the line above
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
		return account.BestOrder(func(alpha float64) float64 {
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
func (l ledger) with(curve func(alpha float64) float64) (ledger, bool) {
	next, room := l.copy(), false
	for k, alpha := range l.orders {
		next.spent[k] = rdp.SumUp(next.spent[k], curve(alpha))
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
	curve, err := rdp.Of(rest)
	if err != nil {
		return nil, err
	}
	next := *f
	next.massed = rdp.SumUp(next.massed, mass)
	added, room1 := f.spentOf[0].with(curve.Added)
	removed, room2 := f.spentOf[1].with(curve.Removed)
	if !room1 || !room2 || next.massed > f.mass {
		return nil, ErrExceeded
	}
	next.spentOf = [2]ledger{added, removed}
	return &next, nil
}

// EpsilonUpper returns the ε, at the budget's δ, that what has been charged so
// far amounts to by the same theorem: the budget that would just have been
// enough with these orders. It never exceeds the budget's ε. It is a report,
// not a guarantee to stop at: for that use an [Odometer].
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
	return math.Max(0, worst)
}
