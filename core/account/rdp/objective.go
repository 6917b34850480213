package rdp

import (
	"cloister/core/account"
	"cloister/core/privacy"
)

// OfBound is Of for objective perturbation, approximate minima and the Gaussian
// mechanism with the bound named: account.BoundRDP for the published theorems
// (3.2, 4.1 and E.1 of Redberg, Koskela & Wang 2023), account.BoundAuto for the
// sharpest that applies.
func OfBound(event privacy.Event, bound account.Bound) (Curve, error) {
	added, removed, err := account.Renyi(event, bound)
	if err != nil {
		return Curve{}, err
	}
	return FromBounds(event.Neighbours(), added, removed), nil
}
