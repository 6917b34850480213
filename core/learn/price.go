package learn

import (
	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// accuracy is the finest there is: what package calibrate finds, with whatever
// accuracy, then holds when it is priced again.
const accuracy = pld.BestAccuracy

// priced prices an event, and names the bound that objective.BoundAuto stands
// for: "" for an event without objective perturbation, to which no bound
// applies.
func priced(
	event privacy.Event, method account.Method, bound objective.Bound,
) (account.Price, objective.Bound, error) {
	resolved, err := resolve(event, bound)
	if err != nil {
		return account.Price{}, "", err
	}
	price, err := account.Of(event, method, pld.Options{Bound: resolved, Accuracy: accuracy})
	return price, resolved, err
}

// Price is the release's event priced as its statement says; BoundAuto in the
// place of the stated bound is the sharpest.
func (r *Release) Price(
	method account.Method, bound objective.Bound,
) (account.Price, objective.Bound, error) {
	return priced(r.Event, method, bound)
}

func resolve(event privacy.Event, bound objective.Bound) (objective.Bound, error) {
	if bound == "" {
		bound = objective.BoundAuto
	}
	class, any := lossClass(event)
	if any {
		return bound.Resolve(class)
	}
	if bound != objective.BoundAuto {
		return "", &privacy.ParameterError{
			Field: "bound",
			Value: `"` + string(bound) + `"`,
			Want:  `"auto", or left out, for a mechanism other than objective perturbation`,
		}
	}
	return "", nil
}

// lossClass is the widest class of loss that objective perturbation within an
// event is priced for.
func lossClass(event privacy.Event) (class privacy.LossClass, any bool) {
	privacy.Walk(event, func(inner privacy.Event) {
		if e, ok := privacy.ObjectiveOf(inner); ok && (!any || Includes(e.Loss, class)) {
			class, any = e.Loss, true
		}
	})
	return class, any
}

// Theorem names the theorem of the price, in words.
func Theorem(method account.Method, bound objective.Bound) string {
	text := bound.Theorem()
	switch {
	case method == account.Closed && bound != "":
		return text
	case method == account.Closed:
		return "Cloister's source, core/account: privacy profile of the mechanism in closed form"
	case bound == "":
		text = ""
	default:
		text += "; "
	}
	if method == account.Renyi {
		return text + "Cloister's source, core/account/rdp: Rényi differential privacy, converted at the best order"
	}
	return text + "Cloister's source, core/account/pld: privacy loss distributions, composed with certified rounding"
}
