package report

import (
	"math"

	"cloister/core/glm"
)

// window is what is known of a record's derivatives at θ* when its margin there
// is within some distance of what it is at the published θ.
type window struct {
	slope     [2]float64 // least and greatest f′
	curvature [2]float64 // least and greatest f″
}

// windowOf is the window of a record of norm length around margin.
//
// f′ does not decrease, so its ends are at the ends. f″ of the logistic loss is
// even in the margin and falls away from 0, that of Huber's is 1/(2h) on an
// interval and 0 elsewhere, that of the squared loss is 1; clipping makes it 0
// where |f′| > C/‖x‖, which is outside an interval. For any other loss the bounds
// are 0 and its largest.
func windowOf(loss glm.Clipped, length, margin, distance, y float64) window {
	row := loss.Row(length)
	low, high := margin-distance, margin+distance
	_, s0, c0 := row.At(low, y)
	if distance == 0 {
		return window{[2]float64{s0, s0}, [2]float64{c0, c0}}
	}
	_, s1, c1 := row.At(high, y)
	w := window{slope: [2]float64{s0, s1}}
	inner0, inner1 := low, high
	if loss.Active(length) {
		limit := loss.Threshold() / length
		base := loss.Loss()
		if base.Slope(high, y) < -limit || base.Slope(low, y) > limit {
			return w // clipped throughout
		}
		// Beyond the clipping points f″ is 0: only what lies between counts for
		// the greatest.
		inner0 = math.Max(low, base.Margin(-limit, y))
		inner1 = math.Min(high, base.Margin(limit, y))
	}
	switch l := loss.Loss().(type) {
	case glm.Logistic:
		nearest := math.Max(inner0, math.Min(0, inner1))
		w.curvature = [2]float64{math.Min(c0, c1), l.Curvature(nearest, y)}
	case glm.Huber:
		w.curvature[0] = math.Min(c0, c1)
		if y*low < 1+l.Width() && y*high > 1-l.Width() ||
			y*high < 1+l.Width() && y*low > 1-l.Width() {
			w.curvature[1] = l.MaxCurvature()
		}
	case glm.Squared:
		w.curvature = [2]float64{math.Min(c0, c1), 1}
	default:
		w.curvature[1] = loss.MaxCurvature()
	}
	return w
}
