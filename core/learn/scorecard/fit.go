package scorecard

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/search"
)

// Charge pays for an event. It is called once, before any noise is drawn, and
// nothing is drawn if it fails. What was charged stays charged: a search that is
// cancelled or fails afterwards is paid for and shows nothing.
type Charge func(privacy.Event) error

// Diagnostics is what the data holder may look at after a fit, and nobody else.
type Diagnostics struct {
	Records     int
	Loss        int64 // records that the card gets wrong, counted again row by row
	Certificate search.Certificate
}

// MarshalJSON is an error: nothing of a Diagnostics may be written beside a
// release by accident.
func (*Diagnostics) MarshalJSON() ([]byte, error) { return nil, errPrivate }

var errPrivate = errors.New("scorecard: this is for the data holder alone and has no JSON form")

// Fit chooses a scorecard for the counted records, as planned. The order is:
// check what is public, charge, draw noise, search to the end, count the errors
// again row by row, release. told, which may be nil, hears of the search's progress,
// which is the data holder's to see.
//
// Errors are those of the charge, the source and the context, a cells' schema
// that is not the plan's, and *search.FaultError.
func Fit(
	ctx context.Context, cells *data.Cells, plan Plan, source random.Source, charge Charge,
	told func(search.Progress),
) (*Release, *Diagnostics, error) {
	if charge == nil || source == nil {
		panic("scorecard: Fit needs a charge and a source")
	}
	if cells.Schema != plan.Schema && !reflect.DeepEqual(cells.Schema, plan.Schema) {
		return nil, nil, fmt.Errorf(
			"scorecard: the records were counted by another schema than the plan's: count them again",
		)
	}
	if err := kept(plan.Event, plan.Guarantee); err != nil {
		return nil, nil, err
	}
	if err := charge(plan.Event); err != nil {
		return nil, nil, err
	}
	perturbation, err := draw(plan.Event, source)
	if err != nil {
		return nil, nil, err
	}
	points, certificate, err := search.Minimise(ctx, search.Problem{
		Shape: plan.Shape, Positives: cells.Positives, Negatives: cells.Negatives,
	}, perturbation, search.Options{Report: told})
	if err != nil {
		return nil, nil, err
	}
	loss := rowLoss(cells, plan.Shape, points)
	if loss != certificate.Loss {
		return nil, nil, &search.FaultError{Found: certificate.Loss, Recomputed: loss}
	}
	release := newRelease(plan, points)
	return release, &Diagnostics{
		Records:     len(cells.Rows),
		Loss:        loss,
		Certificate: certificate,
	}, nil
}

// draw is the perturbation that an event describes, which is all that it
// depends on.
func draw(event privacy.Event, source random.Source) (search.Perturbation, error) {
	switch e := event.(type) {
	case privacy.NoisyMin:
		n := search.Noise{
			Law: search.Law(e.Noise), Epsilon: e.Epsilon, Span: int64(e.Span),
			Denominator: int64(e.Denominator), Source: source,
		}
		if e.Noise == privacy.GumbelNoise {
			n.Denominator = Denominator // the unit of bounds alone
		}
		return n, nil
	case privacy.ProximalCentre:
		noise, err := centreNoise(e)
		if err != nil {
			return nil, err
		}
		centre := make([]int64, e.Dimension)
		weight, err := noise.Draw(source, centre)
		if err != nil {
			return nil, err
		}
		return search.Centre(int64(e.Denominator), e.Bound, weight, centre), nil
	}
	return nil, &privacy.ParameterError{
		Field: "mechanism",
		Value: event.Mechanism(),
		Want:  `"noisy-min" or "proximal-centre"`,
	}
}

// rowLoss is how many records the points get wrong, one by one.
func rowLoss(cells *data.Cells, shape search.Shape, points search.Points) (wrong int64) {
	for _, row := range cells.Rows {
		cell, positive := int(row/2), row&1 == 1
		score, end := 0, len(points)
		for g := len(shape.Levels) - 1; g >= 0; g-- {
			n := shape.Levels[g]
			end -= n
			score += int(points[end+cell%n])
			cell /= n
		}
		if (score >= Threshold) != positive {
			wrong++
		}
	}
	return wrong
}
