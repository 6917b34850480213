// Package plane holds the handlers that draw private fits to made-up points (core/lab/plane) and
// private scorecards for made-up patients (core/lab/clinic). They take no data set.
package plane

import (
	"context"

	"cloister/core/lab/clinic"
	"cloister/core/lab/plane"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// Service returns the handlers.
func Service() *api.Service {
	d := &desk{}
	return &api.Service{
		Handlers: map[string]api.Handler{
			"about": about, "points": d.points, "fits": d.fits,
			"patients": d.patients, "cards": d.cards,
		},
	}
}

func about(*api.Call) (map[string]any, error) {
	return map[string]any{"library": privacy.LibraryVersion}, nil
}

// desk keeps the points and the patients that were asked for last: while ε moves they stay.
type desk struct {
	last   *plane.Plane
	clinic *clinic.Clinic
}

func (d *desk) plane(f *privacy.Fields) (*plane.Plane, error) {
	points := plane.Points{
		Count:      f.Int("n"),
		Separation: f.Number("separation"),
		Seed:       f.IntOr("seed", 0),
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if d.last != nil && d.last.Points() == points {
		return d.last, nil
	}
	made, err := plane.New(context.Background(), points)
	if err != nil {
		return nil, err
	}
	d.last = made
	return made, nil
}

// points answers {n, separation, seed?} with the points, x and y by turns, those of
// the first class at even places, and the line without privacy.
func (d *desk) points(call *api.Call) (map[string]any, error) {
	p, err := d.plane(call.Fields)
	if err != nil {
		return nil, err
	}
	return map[string]any{"at": p.At(), "plain": tree(p.Plain())}, nil
}

// fits answers {n, separation, seed?, method, adjacency, epsilon, delta, first?,
// draws} with one line a draw, [a, b, c, accuracy], and the event of each fit.
func (d *desk) fits(call *api.Call) (map[string]any, error) {
	f := call.Fields
	request := plane.Request{
		Method: plane.Method(f.Text("method")),
		Guarantee: privacy.Guarantee{
			Adjacency: f.Adjacency(),
			Epsilon:   f.Number("epsilon"),
			Delta:     f.Number("delta"),
		},
		First: f.IntOr("first", 0),
		Draws: f.Int("draws"),
	}
	p, err := d.plane(f)
	if err != nil {
		return nil, err
	}
	fits, err := p.Fits(context.Background(), request)
	if err != nil {
		return nil, err
	}
	lines := make([]any, len(fits.Lines))
	for k, line := range fits.Lines {
		lines[k] = tree(line)
	}
	return map[string]any{"lines": lines, "event": privacy.EncodeEvent(fits.Event)}, nil
}

func tree(l plane.Line) []float64 { return []float64{l.A, l.B, l.C, l.Accuracy} }
