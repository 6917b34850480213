package differences

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/dpsgd"
	"cloister/core/learn/learntest"
	"cloister/core/learn/methods"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// The closed form is the maximum over every curvature that there can be, tried one by one.
func TestLargestIsTheMaximum(t *testing.T) {
	for _, a := range []float64{0.5, 1, 16.0 / 9} {
		for _, sigma := range []float64{0.1, 0.5, 1, 3} {
			for _, lambda := range []float64{0.05, 0.5, 2, 20} {
				most := 0.0
				for h := 0.0; h < 1000; h += 0.001 * (1 + h) {
					most = math.Max(most, (a*h+sigma*sigma)/((h+lambda)*(h+lambda)))
				}
				got := largest(a, sigma, lambda)
				assert.GreaterOrEqual(t, got, most*(1-1e-12))
				assert.InEpsilon(t, most, got, 1e-4)
			}
		}
	}
	most := 0.0
	for u := 0.001; u < 50; u += 0.001 {
		most = math.Max(most, math.Expm1(-u)*math.Expm1(-u)/u)
	}
	assert.GreaterOrEqual(t, held, most)
	assert.InDelta(t, most, held, 1e-3)
}

// Of a matrix it is a limit in every direction: of two columns that go together, in the
// direction in which they differ.
func TestTheLimitHoldsInEveryDirection(t *testing.T) {
	source := randomtest.New(7)
	for range 200 {
		sigma, lambda := 0.3+3*learntest.Uniform(source), 0.1+3*learntest.Uniform(source)
		x, y, z := 20*learntest.Uniform(source), 20*learntest.Uniform(source),
			2*learntest.Uniform(source)-1
		h := [2][2]float64{{x, z * math.Sqrt(x*y)}, {z * math.Sqrt(x*y), y}} // ⪰ 0
		det := (h[0][0]+lambda)*(h[1][1]+lambda) - h[0][1]*h[0][1]
		for angle := 0.0; angle < math.Pi; angle += 0.1 {
			c := [2]float64{math.Cos(angle), math.Sin(angle)}
			u := [2]float64{ // (H + λI)⁻¹c
				((h[1][1]+lambda)*c[0] - h[0][1]*c[1]) / det,
				((h[0][0]+lambda)*c[1] - h[0][1]*c[0]) / det,
			}
			v := sigma * sigma * (u[0]*u[0] + u[1]*u[1])
			for i := range u {
				for j := range u {
					v += u[i] * h[i][j] * u[j]
				}
			}
			assert.LessOrEqual(t, v, largest(1, sigma, lambda)*(1+1e-9))
		}
	}
}

// a of a clipped logistic loss, at every true probability.
func TestGradientsVaryNoMoreThanTheCurvatureAllows(t *testing.T) {
	for _, s := range []float64{0.5, 9.0 / 16, 0.7, 0.9, 1} {
		model := learn.Model{Loss: glm.Logistic{}, Clip: s}
		a := spread(model, 1)
		for p := 0.001; p < 1; p += 0.001 {
			v, h := 0.0, 0.0
			for _, label := range [2][2]float64{{p, 1 - p}, {1 - p, p}} { // probability, slope
				v += label[0] * math.Pow(math.Min(label[1], s), 2)
				if label[1] <= s {
					h += label[0] * p * (1 - p)
				}
			}
			assert.LessOrEqual(t, v, a*h*(1+1e-9), "clipped at %v, p = %v", s, p)
		}
	}
	assert.Equal(t, math.Inf(1), spread(learn.Model{Loss: glm.Logistic{}, Clip: 0.4}, 1))
}

// The same of the losses with a shift, at every margin, whose labels have the probabilities that
// make the mean slope 0; and a is reached at even odds.
func TestGradientsOfShiftedLossesVaryNoMore(t *testing.T) {
	for _, h := range []float64{0.1, 1, 2, 5} {
		shifted, err := glm.NewShiftedLogistic(h)
		require.NoError(t, err)
		hinge, err := glm.NewRoundedHinge(h)
		require.NoError(t, err)
		for _, loss := range []glm.Loss{shifted, hinge} {
			a := spread(learn.Model{Loss: loss, Clip: math.Inf(1)}, 1)
			most := 0.0
			for m := -h - 3; m <= h+3; m += (h + 3) / 500 {
				up, down := -loss.Slope(m, 1), loss.Slope(m, -1)
				p := down / (up + down)
				v := p*up*up + (1-p)*down*down
				curvature := p*loss.Curvature(m, 1) + (1-p)*loss.Curvature(m, -1)
				assert.LessOrEqual(t, v, a*curvature*(1+1e-9)+1e-15, "%T of %v at %v", loss, h, m)
				if curvature > 0 {
					most = math.Max(most, v/curvature)
				}
			}
			assert.InEpsilon(t, a, most, 1e-3, "%T of %v", loss, h)
			assert.Equal(t, math.Inf(1), spread(learn.Model{Loss: loss, Clip: 0.9}, 1))
		}
	}
}

// With hardly a record there is nothing but noise, and it comes as far as the limit says
// and no further: of 4,000 coefficients by each method, the standard deviation is at most
// the limit, and of objective perturbation it is the limit. (A false alarm: five standard
// errors of 1/√8000.)
func TestNoiseAloneReachesTheLimit(t *testing.T) {
	nativetest.Only(t)
	schema := learntest.Schema(20, 0.5)
	row := make([]float64, 21)
	row[20] = 0.5
	problem := learntest.Problem(schema, [][]float64{row}, []float64{1})
	for _, m := range methods.For(data.TwoClasses) {
		chosen, err := methods.Choose(m.Name, learn.Asked{
			Schema: schema, Loss: glm.Logistic{}, Records: 6e3,
			Guarantee: privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove},
		})
		require.NoError(t, err)
		squares, count, limit := 0.0, 0.0, 0.0
		for seed := range uint64(200) {
			model, _, err := chosen.Fit(t.Context(), problem, randomtest.New(seed), learn.Watch{})
			require.NoError(t, err)
			r := &learn.Release{Schema: schema, Event: chosen.Event, Model: model}
			v := Of(r)[0]
			limit = v.Limit
			for _, d := range v.Differences {
				squares += d.Estimate * d.Estimate
				count++
			}
		}
		sd := math.Sqrt(squares / count)
		t.Logf("%-10s noise alone %.3f, the limit %.3f", m.Name, sd, limit)
		assert.LessOrEqual(t, sd, limit*(1+5/math.Sqrt(2*count)), m.Name)
		assert.Greater(t, sd, limit/2, "%s: a limit far above what noise does", m.Name)
		if _, minima := chosen.Event.(privacy.ApproximateMinima); minima {
			assert.InEpsilon(t, limit, sd, 5/math.Sqrt(2*count), m.Name)
		}
	}
}

// The stretch of a column is no less than by any plan that made releases: of today's, where numbers
// count twice, and of those before, where they counted once and rows of one scale alone had the
// variance 1/20 for them. By hand, for three numbers and a category of four, one with an indicator.
func TestStretchesCoverEveryPlan(t *testing.T) {
	for _, norm := range []data.Norm{data.Clip, data.Unit, data.Scale} {
		schema := learntest.Schema(3, 0.5)
		schema.Rows.Norm = norm
		schema.Features[1].Missing = data.Rule{Action: data.Indicate}
		schema.Features = append(schema.Features, data.Feature{
			Name: "ward", Type: data.Categorical, Categories: []string{"A", "B", "C", "D"},
		})
		square, before := 3./3+1, 3./12+0.75 // E‖v‖², and what is left of it
		if norm == data.Scale {
			square, before = 1/schema.RowScale()/schema.RowScale(), 3./20+0.75
		}
		today := 3*4./20 + 0.75
		columns := schema.Columns()
		steps := &learn.Release{Schema: schema, Event: privacy.GradientDescent{
			Adjacency: privacy.AddRemove, Sensitivity: 1, Sigmas: make([]float64, stepsOfMean),
		}}
		for j, stretch := range stretches(steps) {
			was, is := math.Sqrt(square/before), math.Sqrt(square/today)
			if number(columns[j]) {
				is *= 2
			} else if columns[j].Intercept {
				was, is = 1, 1
			}
			most := math.Max(was, is)
			assert.GreaterOrEqual(t, stretch, most*(1-1e-12), "%s %s", norm, columns[j].Name)
			assert.LessOrEqual(t, stretch, 1.1*max(1, most), "%s %s", norm, columns[j].Name)
		}
		steps.Event = gaussian(1)
		assert.Equal(t, slices.Repeat([]float64{1}, len(columns)), stretches(steps))
	}
}

// Where all numbers stand at their bounds, centred rows are longer than R, and gradients are
// clipped at a slope below 1/2, for which a is not derived. The limit is far above what comes out
// even so: the steps' own drift is most of it. Here are 20 tables of 1,237 records at ε = 8, where
// noise is least beside what sampling adds.
func TestTheLimitHoldsWhereRowsAreLong(t *testing.T) {
	nativetest.Only(t)
	const fits, n, epsilon = 20, 1237, 8.0
	for _, d := range []int{1, 3} {
		for _, signal := range []float64{0, 1, 3} {
			schema := learntest.Schema(d, 0.5)
			source := randomtest.New(uint64(d))
			chosen, err := methods.Choose(dpgd.MeanLearner.Name, learn.Asked{
				Schema: schema, Loss: glm.Logistic{}, Records: n,
				Guarantee: privacy.Guarantee{
					Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove,
				},
			})
			require.NoError(t, err)
			sum, squares, limit := make([]float64, d), make([]float64, d), math.Inf(1)
			for seed := range uint64(fits) {
				var rows [][]float64
				var labels []float64
				for range n {
					row, label := atBounds(source, d), -1.0
					odds := math.Exp(signal * (2*math.Ceil(row[0]) - 1))
					if learntest.Uniform(source) < odds/(1+odds) {
						label = 1
					}
					rows, labels = append(rows, row), append(labels, label)
				}
				problem := learntest.Problem(schema, rows, labels)
				model, _, err := chosen.Fit(
					t.Context(), problem, randomtest.New(seed), learn.Watch{},
				)
				require.NoError(t, err)
				v := Of(&learn.Release{Schema: schema, Event: chosen.Event, Model: model})[0]
				for j, found := range v.Differences {
					sum[j] += found.Estimate / fits
					squares[j] += found.Estimate * found.Estimate / fits
					limit = math.Min(limit, found.Error)
				}
			}
			for j := range sum {
				sd := math.Sqrt(squares[j] - sum[j]*sum[j])
				t.Logf("%d numbers, signal %v: %.2f, the limit %.1f", d, signal, sd, limit)
				require.False(t, math.IsInf(limit, 1))
				assert.Less(t, sd, limit/7)
			}
		}
	}
}

// F and G against steps taken forwards, one unit of gradient at a time: of a coordinate that
// records hold with curvature h, u = ηh. The first is at u = 0 what each step's unit has moved
// the mean of the last θ by, added up by hand.
func TestResponseIsWhatStepsDo(t *testing.T) {
	for _, plan := range [][2]int{{120, 60}, {100, 1}} {
		count, tail := plan[0], plan[1]
		for _, u := range []float64{0, 1e-4, 2e-3, 0.05, 1, 3.7} {
			squares, sum, byHand := 0.0, 0.0, 0.0
			for at := range count {
				theta, velocity, mean, moved := 0.0, 0.0, 0.0, 0.0
				for s := range count {
					velocity = 0.9*velocity + u*theta
					if s == at {
						velocity++
					}
					theta -= velocity
					if s >= count-tail {
						mean -= theta / float64(tail)
						moved += max(0, 10*(1-math.Pow(0.9, float64(s+1-at)))) / float64(tail)
					}
				}
				squares, sum, byHand = squares+mean*mean, sum+mean, byHand+moved*moved
			}
			noise, chance := response(u, count, tail)
			assert.InEpsilon(t, squares/100/float64(count), noise, 1e-9)
			assert.InDelta(t, u*sum*sum/10/float64(count), chance, 1e-12)
			if u == 0 {
				assert.InEpsilon(t, byHand/100/float64(count), noise, 1e-9)
			}
		}
	}
}

// The limit of steps is the maximum over every curvature, tried fifty times as finely, and
// grows with D: a plan whose largest step is smaller keeps it.
func TestDescentIsTheMaximum(t *testing.T) {
	for _, plan := range [][2]int{{120, 60}, {100, 1}} {
		var noises, chances []float64
		for u := 0.0; u <= 3.8; u = math.Max(1e-6, u*1.0004) {
			noise, chance := response(u, plan[0], plan[1])
			noises, chances = append(noises, noise), append(chances, chance)
			noise, chance = response(3.8-u, plan[0], plan[1])
			noises, chances = append(noises, noise), append(chances, chance)
		}
		for _, a := range []float64{0.5, 1, 16. / 9} {
			for _, sigma := range []float64{0.3, 3, 30} {
				before := 0.0
				for _, far := range []float64{0.1, 0.25, 1, 2, 4} {
					most, reach := 0.0, far*math.Sqrt(float64(plan[0]))/sigma
					for i, noise := range noises {
						most = math.Max(most, far*far*noise+a*reach*chances[i])
					}
					got := descent(a, sigma, plan[0], plan[1], far)
					assert.GreaterOrEqual(t, got, most)
					assert.InEpsilon(t, most, got, 2e-3)
					assert.Greater(t, got, before)
					before = got
				}
			}
		}
	}
}

// Where a is known of two classes, the mean is of sixty; where it is of twelve, the gradients are
// clipped too far for a.
func TestTheMeanIsOfSixtyWhereSomethingIsKnown(t *testing.T) {
	schema := learntest.Schema(9, 0.5)
	known := 0
	for _, n := range []float64{10, 49, 51, 160, 500, 1000, 2500, 2570, 1e4, 1e6} {
		g := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
		plan, err := dpgd.MeanDefaults(schema, glm.Logistic{}, g, n).Plan()
		require.NoError(t, err)
		model := learn.Model{Schema: schema, Loss: glm.Logistic{}, Clip: plan.Clip}
		event, err := plan.Event()
		require.NoError(t, err)
		a := spread(model, schema.RowNorm())
		if limit := variance(model, event, a); math.IsInf(a, 1) {
			assert.Equal(t, a, limit)
		} else {
			known++
			assert.Equal(t, meanTail, plan.Tail)
			assert.Equal(t, momentum, plan.Momentum)
			assert.GreaterOrEqual(t, limit, 16*0.5853)
		}
	}
	assert.Equal(t, 3, known)

	huber, err := glm.NewHuber(learn.DefaultHuberWidth)
	require.NoError(t, err)
	few, err := dpgd.MeanDefaults(schema, huber, privacy.Guarantee{
		Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove,
	}, 10).Plan()
	require.NoError(t, err)
	require.Less(t, few.Tail, meanTail)
	event, err := few.Event()
	require.NoError(t, err)
	model := learn.Model{Schema: schema, Loss: huber, Clip: few.Clip}
	a := spread(model, schema.RowNorm())
	assert.LessOrEqual(
		t, descent(a, few.Sigmas[0], len(few.Sigmas), few.Tail, 1), variance(model, event, a),
	)
}

// The theorem of the squared loss, by its worst laws. A law with one peak is a mixture of uniform
// ones from the peak to one side (Khinchine), and of those whose clipped error is 0 in the mean a
// mixture of two is worst, as that is one condition. They are all tried, on a grid.
func TestClippedSquaredLoss(t *testing.T) {
	const grid = 40
	place := func(i int) float64 { return 2*float64(i)/grid - 1 }
	for _, c := range []float64{0.05, 0.125, 0.25, 0.5, 0.75, 1, 1.5, 2} {
		most, least := 0.0, 1.0 // E f′²/P, and P
		for i := range grid + 1 {
			for peak := i; peak <= grid; peak++ {
				var laws [grid + 1][3]float64
				for end := range laws {
					laws[end] = uniformLaw(place(peak)-place(i), place(end)-place(i), c)
				}
				for _, a := range laws {
					for _, b := range laws {
						if a[0] > 0 || b[0] <= 0 {
							continue
						}
						share := b[0] / (b[0] - a[0])
						p := share*a[2] + (1-share)*b[2]
						most = math.Max(most, (share*a[1]+(1-share)*b[1])/p)
						least = math.Min(least, p)
					}
				}
			}
		}
		t.Logf("c = %v: a of %.3f, P of %.3f", c, most, least)
		if c <= 1 {
			assert.LessOrEqual(t, most, 4*c-2*c*c)
			assert.GreaterOrEqual(t, least, c/(4-2*c)-1e-12)
		}
		if c >= 1 {
			assert.GreaterOrEqual(t, least, 0.5)
		}
		assert.LessOrEqual(t, most, 2.0)
		model := learn.Model{Loss: glm.Squared{}, Clip: c}
		if c < (glm.Squared{}).MaxSlope() {
			assert.LessOrEqual(t, most, spread(model, 1))
		}
	}
}

// uniformLaw is E clip(r), E min(r², c²) and P(|r| ≤ c) of an r that is uniform between two values.
func uniformLaw(from, to, c float64) [3]float64 {
	within := func(r float64) float64 { return math.Max(-c, math.Min(c, r)) }
	if from == to {
		p := 0.0
		if math.Abs(from) <= c {
			p = 1
		}
		return [3]float64{within(from), within(from) * within(from), p}
	}
	// Up to r, from 0 on: what lies inside, and what lies beyond.
	up := func(r float64) [3]float64 {
		in := within(r)
		beyond := r - in
		return [3]float64{in*in/2 + c*math.Abs(beyond), in*in*in/3 + c*c*beyond, in}
	}
	low, high := up(from), up(to)
	var out [3]float64
	for k := range out {
		out[k] = (high[k] - low[k]) / (to - from)
	}
	return out
}

// What comes out of tables drawn anew, by steps from 0 with the whole of their noise: columns
// that records hold tightly, and columns that they hardly hold. The standard deviation of every
// coefficient is at most the limit, and that of one is near it.
func TestStepsKeepTheLimit(t *testing.T) {
	nativetest.Only(t)
	const fits, n, d = 200, 400, 8
	for _, c := range []struct {
		kind    data.LabelType
		epsilon float64
		ends    bool // labels are at their bounds
	}{
		// Of two classes x is below 256 at a smaller ε: gradients are clipped too far for a.
		{data.TwoClasses, 8, true},
		{data.NumericLabel, 0.1, false}, {data.NumericLabel, 1, false}, {data.NumericLabel, 8, false},
		{data.NumericLabel, 0.1, true}, {data.NumericLabel, 1, true}, {data.NumericLabel, 8, true},
	} {
		kind, epsilon := c.kind, c.epsilon
		schema, loss := learntest.Schema(d, 0.5), glm.Loss(glm.Logistic{})
		if kind == data.NumericLabel {
			loss = glm.Squared{}
			schema.Label = data.Label{Name: "y", Type: kind, Min: -1, Max: 1}
			schema.Rows.Norm = data.Scale
		}
		chosen, err := methods.Choose(dpgd.MeanLearner.Name, learn.Asked{
			Schema: schema, Loss: loss, Records: n,
			Guarantee: privacy.Guarantee{
				Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove,
			},
		})
		require.NoError(t, err)
		source := randomtest.New(11)
		sum, squares, limits := make([]float64, d), make([]float64, d), make([]float64, d)
		for seed := range uint64(fits) {
			var rows [][]float64
			var labels []float64
			for range n {
				rows = append(rows, spreadOut(source, d))
				label := 1 - 2*learntest.Uniform(source)
				if c.ends {
					label = math.Copysign(1, label)
				}
				labels = append(labels, label)
			}
			problem := learntest.Problem(schema, rows, labels)
			problem.Loss = loss
			model, _, err := chosen.Fit(
				t.Context(), problem, randomtest.New(seed), learn.Watch{},
			)
			require.NoError(t, err)
			v := Of(&learn.Release{Schema: schema, Event: chosen.Event, Model: model})[0]
			for j, found := range v.Differences {
				sum[j] += found.Estimate / fits
				squares[j] += found.Estimate * found.Estimate / fits
				limits[j] = found.Error
			}
		}
		nearest := 0.0
		for j := range sum {
			part := math.Sqrt(squares[j]-sum[j]*sum[j]) / limits[j]
			assert.LessOrEqual(t, part, 1+5/math.Sqrt(2*fits), "%+v", c)
			nearest = math.Max(nearest, part)
		}
		t.Logf("%+v: up to %.2f of the limit %.2f", c, nearest, limits[0])
		assert.Greater(t, nearest, 0.25, "%+v: a limit far above", c)
	}
}

// spreadOut is a row of d numbers with the intercept, each about the middle of its bounds: the
// first hardly ever elsewhere, the last anywhere.
func spreadOut(source *randomtest.Seeded, d int) []float64 {
	row := make([]float64, d+1)
	for j := range d {
		wide := math.Pow(2, float64(j-d+1))
		place := 0.5 + wide*(learntest.Uniform(source)-0.5)
		row[j] = place / math.Sqrt(float64(d)) / (1 + 0x1p-40)
	}
	row[d] = 0.5
	return row
}

// atBounds is a row of d numbers, each at one of its bounds, with the intercept.
func atBounds(source *randomtest.Seeded, d int) []float64 {
	row, count := make([]float64, d+1), 0.0
	for j := range d {
		if learntest.Uniform(source) < 0.5 {
			row[j] = 1
			count++
		}
	}
	for j := range d {
		row[j] /= math.Sqrt(math.Max(1, count)) * (1 + 0x1p-40)
	}
	row[d] = 0.5
	return row
}

// The same of the softmax, class against class: the limit is that of three vectors that come
// from one mechanism.
func TestNoiseAloneReachesTheSoftmaxLimit(t *testing.T) {
	schema := learntest.Schema(20, 0.5)
	schema.Label = data.Label{
		Name: "kind", Type: data.SeveralClasses, Provenance: data.Public,
		Classes: [][]string{{"a"}, {"b"}, {"c"}},
	}
	row := make([]float64, 21)
	row[20] = 0.5
	problem := learntest.Problem(schema, [][]float64{row}, []float64{1})
	problem.Loss = glm.Softmax{}
	chosen, err := methods.Choose("amp", learn.Asked{
		Schema: schema, Loss: problem.Loss,
		Guarantee: privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove},
	})
	require.NoError(t, err)
	squares, count, limit := 0.0, 0.0, 0.0
	for seed := range uint64(100) {
		model, _, err := chosen.Fit(t.Context(), problem, randomtest.New(seed), learn.Watch{})
		require.NoError(t, err)
		r := &learn.Release{Schema: schema, Event: chosen.Event, Model: model}
		found := Of(r)
		for j := range found[0].Differences { // the vectors of two classes are two of three
			for _, v := range found[:2] {
				limit = v.Limit
				squares += v.Differences[j].Estimate * v.Differences[j].Estimate
				count++
			}
		}
	}
	assert.InEpsilon(t, limit, math.Sqrt(squares/count), 5/math.Sqrt(2*count))
	objective := chosen.Event.(privacy.ApproximateMinima).Objective
	assert.InEpsilon(t, math.Sqrt(1.5)*objective.Sigma/objective.Lambda, limit, 1e-2)
}

// The plans that choose their steps by the number of records move a coordinate by no
// more than the drift, whatever that number is. The sum of the noise of all steps is
// added up here one by one.
func TestPlansDriftNoFurther(t *testing.T) {
	schema := learntest.Schema(9, 0.5)
	add := func(trial learn.Trial) float64 {
		squares, total := 0.0, len(trial.Steps.Sigmas)
		for s, sigma := range trial.Steps.Sigmas {
			moved, v := 0.0, 1.0 // what a step's unit of noise has moved in the end
			for step := s; step < total; step++ {
				moved += trial.Steps.Sizes[step] * v
				v *= trial.Steps.Momentum
			}
			squares += sigma * sigma * moved * moved
		}
		return math.Sqrt(squares)
	}
	for _, loss := range []glm.Loss{glm.Logistic{}, glm.Squared{}} {
		for _, n := range []float64{100, 1e4, 1e6} {
			for _, epsilon := range []float64{0.1, 1, 8} {
				g := privacy.Guarantee{Epsilon: epsilon, Delta: 1e-5, Adjacency: privacy.AddRemove}
				all, err := dpgd.Defaults(schema, loss, g, n).Plan()
				require.NoError(t, err)
				trial, err := all.Trial()
				require.NoError(t, err)
				assert.LessOrEqual(t, add(trial), drift*(1+1e-9))
				assert.Len(t, trial.Steps.Sigmas, stepsOfAll)
				for _, c := range []struct {
					kind data.LabelType
					norm data.Norm
					most float64
				}{
					{data.TwoClasses, data.Clip, driftOfClasses},
					{data.NumericLabel, data.Clip, driftOfNumbers},
					{data.NumericLabel, data.Scale, driftOfScaled},
				} {
					s := *schema
					s.Label.Type, s.Rows.Norm = c.kind, c.norm
					mean, err := dpgd.MeanDefaults(&s, loss, g, n).Plan()
					require.NoError(t, err)
					trial, err := mean.Trial()
					require.NoError(t, err)
					assert.LessOrEqual(t, add(trial), c.most*(1+1e-9))
					assert.Len(t, trial.Steps.Sigmas, stepsOfMean)
				}
				label := data.Label{Name: "y", Type: data.NumericLabel, Max: 1}
				s := *schema
				if loss == (glm.Squared{}) {
					s.Label = label
				}
				samples, err := dpsgd.Defaults(&s, loss, g, n)
				require.NoError(t, err)
				if trial, err = samples.Trial(schema.Dimension()); err == nil {
					assert.LessOrEqual(t, add(trial), drift*(1+1e-9))
					assert.Len(t, trial.Steps.Sigmas, stepsOfSamples)
				}
				require.NoError(t, err)
			}
		}
	}
}
