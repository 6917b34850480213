package amp

import (
	"math"
	"slices"

	"cloister/core/audit"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Evidence tells apart fits without and with a record of row (R, 0, …), as well as
// anybody can who knows all other records.
//
// # The statistic
//
// All records lie along the first column, so the first coefficient θ tells all: it solves
// λθ + Σ f′(xθ; y)x + b = 0 with b ~ N(0, σ²) and a sum over the records that were
// fitted. So θ has the density φ_σ(b(θ))·|b′(θ)| (theory §2), in which only one record
// differs, and the logarithm of the likelihood ratio is computed as it stands. By the
// lemma of Neyman and Pearson no other statistic shows more. (The statistic leaves out the
// noise of the output, commonly hundreds of times smaller than that in θ. It cannot make
// an audit accuse a fit that keeps its promise, whose bounds hold for any statistic.)
//
// # The other records
//
// They decide where the noise leaves the margin of the record, and so its slope f′ and
// how fast that changes. Both are paid for (theory §4): a slope moves b by up to L, a
// change of it, f″R²/λ, squeezes the density of θ. What is worst depends on ε. So some
// families of records are tried, and those kept that show the suspect in the least time:
// none; short rows, which move the margin to one side without holding it; long rows,
// which hold it on that side; and long rows on both sides.
type Evidence struct {
	// Test looks for a fit with the suspected noise.
	Test audit.Test

	o       privacy.ObjectivePerturbation
	row     glm.Loss // of the longest row, clipped
	label   float64  // of the record; with weights the heavier one
	replace bool
	shared  []shared
	noise   float64 // σ that is suspected
	out     float64 // and σ_out
}

// shared are records that both data sets have.
type shared struct {
	learn.Mark
	count int
	loss  glm.Loss // of a row of this length, clipped
}

// FindEvidence chooses the evidence about a fit of this event, which is one of so many of
// the same records, each with its own noise (package ovr), or the only one. The errors
// are those of glm.Clip and of the promise.
func FindEvidence(
	schema *data.Schema, loss glm.Loss, event privacy.ApproximateMinima, fits int,
	suspect learn.Suspect,
) (*Evidence, error) {
	o := event.Objective
	clipped, err := glm.Clip(loss, o.Lipschitz)
	if err != nil {
		return nil, err
	}
	promised := learn.Remembered(suspect.Promise)
	var best *Evidence
	least := math.Inf(1)
	heavy := 1.0
	if weighted, ok := loss.(glm.WeightedLogistic); ok && weighted.Ratio() < 1 {
		heavy = -1
	}
	for _, family := range families(clipped, o, suspect.Noise, heavy) {
		e := &Evidence{
			o: o, row: clipped.Row(o.RowNorm), label: heavy,
			noise: o.Sigma * suspect.Noise, out: event.SigmaOut * suspect.Noise,
			replace: o.Adjacency == privacy.ReplaceOne, shared: family,
		}
		if schema.Label.Type == data.NumericLabel && !e.replace && len(family) == 0 {
			e.label = 0 // slopes of both signs
		}
		law := e.law().Sum(fits)
		aim, err := audit.Take(law, promised, suspect.Epsilons)
		if err != nil {
			return nil, err
		}
		records := 20 // what a fit takes beside the records, in their time
		for _, s := range family {
			records += s.count
		}
		if time := float64(aim.Rounds) * float64(records); time < least {
			centre, spread := law.Middle()
			e.Test = audit.Around(aim, centre, spread)
			best, least = e, time
		}
	}
	return best, nil
}

// families are the records to try, all of this label.
func families(
	clipped glm.Clipped, o privacy.ObjectivePerturbation, noise, label float64,
) [][]shared {
	list := [][]shared{nil}
	records := func(scale float64, count float64) shared {
		return shared{
			learn.Mark{Scale: scale, Label: label}, int(math.Min(math.Ceil(count), mostShared)),
			clipped.Row(math.Abs(scale) * o.RowNorm),
		}
	}
	sigma := o.Sigma * noise
	for _, deviations := range []float64{0.5, 1, 1.5, 2, 2.5, 3, 4} {
		force := deviations * sigma
		for _, scale := range []float64{-0.1, -0.3} {
			s := records(scale, 1)
			pull := math.Abs(s.loss.Slope(0, label) * scale * o.RowNorm)
			list = append(list, []shared{records(scale, force/pull)})
		}
		pull := math.Abs(clipped.Row(o.RowNorm).Slope(0, label)) * o.RowNorm
		list = append(list,
			[]shared{records(-1, 2*force/pull)},
			[]shared{records(-1, force/pull), records(1, force/pull)})
	}
	return list
}

// mostShared bounds the shared records of a kind, for a fit to stay quick.
const mostShared = 1000

// law of Of, for the suspected noise.
func (e *Evidence) law() audit.Law {
	const cells = 1 << 12
	below := func(b float64) float64 { return math.Erfc(-b/(e.noise*math.Sqrt2)) / 2 }
	// b falls as θ grows, and by λ at least: from 7σ to −7σ on either data set.
	edge := func(b float64) float64 {
		low, high := -(math.Abs(b)+1)/e.o.Lambda, (math.Abs(b)+1)/e.o.Lambda
		reach := func(theta float64) (float64, float64) {
			first, second, _, _ := e.noises(theta)
			return math.Min(first, second), math.Max(first, second)
		}
		for least, _ := reach(low); least < b; least, _ = reach(low) {
			low *= 2
		}
		for _, most := reach(high); most > b; _, most = reach(high) {
			high *= 2
		}
		for range 60 {
			middle := (low + high) / 2
			least, most := reach(middle)
			if b > 0 && most > b || b < 0 && least > b {
				low = middle
			} else {
				high = middle
			}
		}
		return low
	}
	first, last := edge(7*e.noise), edge(-7*e.noise)
	step := (last - first) / cells
	masses := make([]audit.Mass, cells)
	bFirst, bSecond, _, _ := e.noises(first)
	without, with := below(bFirst), below(bSecond)
	for i := range masses {
		at := first + float64(i)*step
		bFirst, bSecond, _, _ = e.noises(at + step)
		nextWithout, nextWith := below(bFirst), below(bSecond)
		masses[i] = audit.Mass{
			Statistic: e.Of(at + step/2), Without: without - nextWithout, With: with - nextWith,
		}
		without, with = nextWithout, nextWith
	}
	return audit.NewLaw(blurred(masses, e.out/step))
}

// mostBlur is by how many cells masses are moved at most: noise of more is that of fewer, wider
// cells, so that it takes no longer.
const mostBlur = 64

// blurred is the masses of cells, moved by Gaussian noise of so many cells; what would leave them
// stays at their ends.
func blurred(masses []audit.Mass, sigma float64) []audit.Mass {
	if sigma < 0.5 {
		return masses
	}
	for ; sigma > mostBlur && len(masses) > 2*mostBlur; sigma /= 2 {
		masses = inPairs(masses)
	}
	reach := int(math.Min(math.Ceil(4*sigma), float64(len(masses))))
	kernel, total := make([]float64, 2*reach+1), 0.0
	for i := range kernel {
		x := float64(i-reach) / sigma
		kernel[i] = math.Exp(-x * x / 2)
		total += kernel[i]
	}
	out := slices.Clone(masses)
	for i := range out {
		out[i].Without, out[i].With = 0, 0
	}
	for i, m := range masses {
		for k, weight := range kernel {
			j := min(max(i+k-reach, 0), len(out)-1)
			out[j].Without += m.Without * weight / total
			out[j].With += m.With * weight / total
		}
	}
	return out
}

// inPairs is the masses of cells that are twice as wide. An odd last cell stays as it is.
func inPairs(masses []audit.Mass) []audit.Mass {
	out := make([]audit.Mass, (len(masses)+1)/2)
	for i := range out {
		if 2*i+1 == len(masses) {
			out[i] = masses[2*i]
			break
		}
		left, right := masses[2*i], masses[2*i+1]
		out[i] = audit.Mass{
			Statistic: (left.Statistic + right.Statistic) / 2,
			Without:   left.Without + right.Without, With: left.With + right.With,
		}
	}
	return out
}

// noises returns the noise b that makes the fit without and with the record give out this
// first coefficient, and how fast it falls as the coefficient grows.
func (e *Evidence) noises(theta float64) (without, with, fallWithout, fallWith float64) {
	r := e.o.RowNorm
	sum, curvature := e.o.Lambda*theta, e.o.Lambda
	add := func(loss glm.Loss, m learn.Mark) (float64, float64) {
		x := m.Scale * r
		_, slope, bend := loss.At(x*theta, m.Label)
		return slope * x, bend * x * x
	}
	for _, s := range e.shared {
		g, h := add(s.loss, s.Mark)
		sum += float64(s.count) * g
		curvature += float64(s.count) * h
	}
	g, h := add(e.row, learn.Mark{Scale: 1, Label: e.label})
	with, fallWith = -sum-g, curvature+h
	without, fallWithout = -sum, curvature
	if e.replace {
		g, h = add(e.row, learn.Mark{Scale: -1, Label: e.label})
		without, fallWithout = without-g, fallWithout+h
	}
	return without, with, fallWithout, fallWith
}

// Of is the logarithm of the likelihood ratio that the record was there, from the first
// coefficient of a fit with the suspected noise. Take the coefficient's negative, of a
// fit in which the record's label is negative.
func (e *Evidence) Of(theta float64) float64 {
	without, with, fallWithout, fallWith := e.noises(theta)
	return (without-with)*(without+with)/(2*e.noise*e.noise) + math.Log(fallWith/fallWithout)
}

// Pair returns the neighbours, where all records have this label.
func (e *Evidence) Pair(
	schema *data.Schema, loss glm.Loss, label float64,
) (without, with learn.Problem) {
	var both []learn.Mark
	for _, s := range e.shared {
		both = append(both, slices.Repeat([]learn.Mark{{Scale: s.Scale, Label: label}}, s.count)...)
	}
	first, second := slices.Clone(both), append(both, learn.Mark{Scale: 1, Label: label})
	if e.replace {
		first = append(first, learn.Mark{Scale: -1, Label: label})
	}
	return learn.Marks(schema, loss, e.o.RowNorm, first),
		learn.Marks(schema, loss, e.o.RowNorm, second)
}
