package glm

import "math"

// Derivatives is [Clipped.Rows] without the sum of the values: it stores f_C′ in
// slopes and, unless curvatures is nil, f_C″ in curvatures. It is the loop for a
// solver that searches along derivatives. Where gradients are clipped it takes
// a fraction of the time of Rows, for which every clipped record costs two
// logarithms. Slopes and curvatures are as precise as those of Rows.
//
// It panics if the slices' lengths do not match.
func (c Clipped) Derivatives(margins, labels, norms, slopes, curvatures []float64) {
	n := len(margins)
	if len(labels) != n || (len(norms) != n && len(norms) != 1) ||
		len(slopes) != n || (curvatures != nil && len(curvatures) != n) {
		panic("glm: Derivatives needs slices of one length")
	}
	shift, logistic := logisticShift(c.loss)
	weights, weighted := c.loss.(WeightedLogistic)
	hinge, hinged := c.loss.(RoundedHinge)
	if !logistic && !weighted && !hinged {
		c.Rows(margins, labels, norms, slopes, curvatures)
		return
	}
	var spare, spareMargins [block]float64
	for start := 0; start < n; start += block {
		end := min(start+block, n)
		s, k := slopes[start:end], spare[:end-start]
		if curvatures != nil {
			k = curvatures[start:end]
		}
		y := labels[start:end]
		if hinged {
			hinge.block(margins[start:end], y, s, k)
		} else {
			logisticBlock(moved(margins[start:end], y, shift, spareMargins[:]), y, s, k)
		}
		if weighted {
			weights.weigh(y, s, k) // one rounding more of the 16 ulp that Rows allows
		}
		blockNorms := norms
		if len(norms) == n {
			blockNorms = norms[start:end]
		}
		c.clamp(blockNorms, s, k)
	}
}

// clamp brings slopes of a loss that has a loop of its own within ±C/norm, and makes the curvature
// 0 where it does.
func (c Clipped) clamp(norms, slopes, curvatures []float64) {
	if !c.anyActive(norms) {
		return
	}
	if len(norms) == 1 && len(slopes) > 1 {
		bound := c.capped(norms[0]).slope
		for i, s := range slopes {
			if math.Abs(s) > bound {
				slopes[i], curvatures[i] = math.Copysign(bound, s), 0
			}
		}
		return
	}
	curvatures = curvatures[:len(slopes)]
	norms = norms[:len(slopes)]
	near := c.near()
	for i, s := range slopes {
		if norms[i]*math.Abs(s) <= near || !c.Active(norms[i]) {
			continue
		}
		if bound := math.Nextafter(c.threshold/norms[i], 0); math.Abs(s) > bound {
			slopes[i], curvatures[i] = math.Copysign(bound, s), 0
		}
	}
}

// near is how large norm·|slope| may be without a look at the bound: far enough below it to spare
// the division.
func (c Clipped) near() float64 { return c.threshold * (1 - 0x1p-50) }
