package learn

import (
	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/account/sharpest"
	"cloister/core/privacy"
)

// accuracy is the finest there is: what package solvefor finds, with whatever
// accuracy, then holds when it is priced again.
const accuracy = pld.BestAccuracy

// priced prices an event, and names the bound that account.BoundAuto stands
// for: "" for an event without objective perturbation, to which no bound
// applies.
func priced(event privacy.Event, method sharpest.Method, bound account.Bound) (sharpest.Price, account.Bound, error) {
	resolved, err := resolve(event, bound)
	if err != nil {
		return sharpest.Price{}, "", err
	}
	price, err := sharpest.Of(event, method, pld.Options{Bound: resolved, Accuracy: accuracy})
	return price, resolved, err
}

// Price is the release's event priced as its statement says; BoundAuto in the
// place of the stated bound is the sharpest.
func (r *Release) Price(method sharpest.Method, bound account.Bound) (sharpest.Price, account.Bound, error) {
	return priced(r.Event, method, bound)
}

func resolve(event privacy.Event, bound account.Bound) (account.Bound, error) {
	if bound == "" {
		bound = account.BoundAuto
	}
	class, any := lossClass(event)
	if any {
		return bound.Resolve(class)
	}
	if bound != account.BoundAuto {
		return "", &privacy.ParameterError{Field: "bound", Value: `"` + string(bound) + `"`, Want: `"auto", or left out, for a mechanism other than objective perturbation`}
	}
	return "", nil
}

// lossClass is the widest class of loss that objective perturbation within an
// event is priced for.
func lossClass(event privacy.Event) (class privacy.LossClass, any bool) {
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		return e.Objective.Loss, true
	case privacy.ObjectivePerturbation:
		return e.Loss, true
	case privacy.PoissonSelection:
		return lossClass(e.Base)
	case privacy.NegativeBinomialSelection:
		return lossClass(e.Base)
	case privacy.Composition:
		for _, part := range e.Parts {
			if inner, found := lossClass(part.Event); found && (!any || Includes(inner, class)) {
				class, any = inner, true
			}
		}
	}
	return class, any
}

// Theorem says in words what the price rests on.
func Theorem(method sharpest.Method, bound account.Bound) string {
	text := bound.Theorem()
	switch {
	case method == sharpest.Closed && bound != "":
		return text
	case method == sharpest.Closed:
		return "Cloister's source, core/account: privacy profile of the mechanism in closed form"
	case bound == "":
		text = ""
	default:
		text += "; "
	}
	if method == sharpest.Renyi {
		return text + "Cloister's source, core/account/rdp: Rényi differential privacy, converted at the best order"
	}
	return text + "Cloister's source, core/account/pld: privacy loss distributions, composed with certified rounding"
}
