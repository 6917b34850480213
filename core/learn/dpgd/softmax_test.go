package dpgd

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// severalOf is the problem with a label of three classes, and a plan for it.
func severalOf(p learn.Problem, adjacency privacy.Adjacency) (learn.Problem, Plan) {
	several := learn.Problem{Data: learntest.Several(p.Data), Loss: glm.Softmax{}}
	plan := planOf(several, adjacency, 5, 2, 1e-2)
	plan.Classes, plan.Dimension = 3, 3*several.Dimension()
	return several, plan
}

// A second, plain way to take the steps: every record's row is rounded by division, its gradient
// is a vector of all classes and columns, made shorter where it is longer than C less the room for
// rounding, and rounded by division too.
func TestSoftmaxStepsDoWhatTheySay(t *testing.T) {
	problem, plan := severalOf(learntest.Clinic(), privacy.AddRemove)
	plan.Momentum, plan.Tail, plan.Centring = 0.5, 2, somewhere()
	clipped := 0
	for _, plan.Clip = range []float64{0.3, 0.7, 4} {
		model, diagnostics, err := Fit(t.Context(), problem, plan, randomtest.New(5), nil)
		require.NoError(t, err)
		assert.Equal(t, 300, diagnostics.Rows)
		assert.Equal(t, plan.Clip, model.Clip)
		assert.Equal(t, 3, model.Vectors())

		source := randomtest.New(5)
		theta, velocity, mean := make([]float64, 9), make([]float64, 9), make([]float64, 9)
		for step, sigma := range plan.Sigmas {
			const unit = 4 * 0x1p-16 // rows are no longer than 4
			grid := math.Exp2(math.Floor(math.Log2(plan.Clip))) * 0x1p-32
			h := grid / unit
			sum := make([]float64, 9)
			for i := range 300 {
				x := problem.Data.X.Row(i).Value
				x = plainRow(unit, 1.5*(x[0]-0.4), 1.25*(x[1]-0.3), x[2])
				room := h / 2 * math.Sqrt(3) * learntest.Length(x)
				total := 0.0
				for k := range 3 {
					total += math.Exp(learntest.Dot(x, theta[3*k:3*k+3]))
				}
				var slopes []float64
				for k := range 3 {
					slope := math.Exp(learntest.Dot(x, theta[3*k:3*k+3])) / total
					if int(problem.Data.Y[i]) == k {
						slope--
					}
					slopes = append(slopes, slope)
				}
				length := learntest.Length(slopes) * learntest.Length(x)
				share := math.Min(1, (plan.Clip-room)/length)
				if share < 1 {
					clipped++
				}
				for j := range sum {
					sum[j] += math.RoundToEven(slopes[j/3]*share/h) * h * x[j%3]
				}
			}
			noise, err := random.NewDiscreteGaussian(sigma, grid)
			require.NoError(t, err)
			for j := range sum {
				k, err := noise.Sample(source)
				require.NoError(t, err)
				velocity[j] = 0.5*velocity[j] + sum[j] + float64(k)*grid + 3*theta[j]
				theta[j] -= plan.Rates[step] * velocity[j]
				if step >= 3 {
					mean[j] += theta[j] / 2
				}
			}
		}
		for k := range 3 {
			own := mean[3*k : 3*k+3]
			for j, want := range []float64{
				1.5 * own[0], 1.25 * own[1], own[2] - (0.4*1.5*own[0]+0.3*1.25*own[1])/0.5,
			} {
				assert.InEpsilon(t, want, model.Vector(k)[j], 1e-7)
			}
		}
	}
	assert.Greater(t, clipped, 1500, "of 4500, some are clipped")
	assert.Less(t, clipped, 4500)
}

// The sum over five records of three classes, at 50 digits (Python's decimal): as it is, and
// with each record's gradient clipped to a norm of 0.25.
func TestSoftmaxSumAgainstGoldenValues(t *testing.T) {
	problem, plan := severalOf(learntest.Five(), privacy.AddRemove)
	theta := []float64{0.5, -1, 0.25, 2, 0, -0.5, -0.75, 1.5, 1}
	for _, c := range []struct {
		clip  float64
		error float64
		want  []float64
	}{
		{4, 0x1p-14, []float64{
			-0.0362433381339903012, -1.1104542680197591027, -1.0440367434081653175,
			-0.5206214969927852560, -0.2176180764955955478, -0.2019617890886658135,
			0.55686483512677555727, 1.32807234451535465065, 1.24599853249683113111,
		}},
		{0.25, 0x1p-17, []float64{
			-0.0154117628526074569, -0.2408524393386423710, -0.3276358115884861234,
			-0.2251503050070902692, -0.1175878128440194289, -0.0915337651319628105,
			0.24056206785969772618, 0.35844025218266180000, 0.41916957672044893396,
		}},
	} {
		plan.Clip = c.clip
		s, err := newSummer(problem, plan)
		require.NoError(t, err)
		grid := gridOf(c.clip, c.clip)
		s.sum(theta, grid)
		for j, want := range c.want {
			assert.InDelta(
				t, want, float64(s.total[j])*grid, c.error,
				"five slopes, each rounded to a multiple of g·2^15",
			)
		}
	}
}

// Of two classes θ₁ takes the step of the logistic loss at w = θ₁ − θ₀, and θ₀ its opposite,
// where that is clipped at C/√2: so w takes it twice.
func TestSoftmaxOfTwoClassesTakesLogisticSteps(t *testing.T) {
	two := learntest.Clinic()
	schema := *two.Data.Schema
	schema.Label = data.Label{
		Name: "y", Type: data.SeveralClasses, Classes: [][]string{{"a"}, {"b"}},
		Provenance: data.Public,
	}
	y := make([]float64, 300)
	for i, sign := range two.Data.Y {
		y[i] = (1 + sign) / 2
	}
	both := learn.Problem{
		Data: &data.Dataset{Schema: &schema, X: two.Data.X, Y: y}, Loss: glm.Softmax{},
	}
	plan := planOf(two, privacy.AddRemove, 3, 2, 1e-3)
	for _, clip := range []float64{0.2, 0.5, 2} {
		plan.Clip = clip / math.Sqrt2
		one, err := newSummer(two, plan)
		require.NoError(t, err)
		joint := plan
		joint.Clip, joint.Classes, joint.Dimension, joint.Lambda = clip, 2, 6, 0
		all, err := newSummer(both, joint)
		require.NoError(t, err)
		grid := gridOf(clip, clip)
		one.sum([]float64{1.5, -1, 0.5}, grid)
		all.sum([]float64{-0.5, 0.5, 1, 1, -0.5, 1.5}, grid)
		for j, want := range one.total {
			assert.InDelta(t, want, all.total[3+j], 300)
			assert.InDelta(t, -want, all.total[j], 300)
		}
		trial, err := joint.Trial()
		require.NoError(t, err)
		assert.Equal(t, []int{3, 2}, []int{trial.Dimension, trial.Classes})
		assert.Equal(t, clip, trial.Clip)
		assert.Equal(t, joint.Sigmas, trial.Steps.Sigmas)
	}
}

// No record's part of a sum is longer than what is charged for, whatever θ is and however far
// a centring moves its row; and where it is clipped it is as long as that, in all classes
// together.
func TestGradientsOfAllClassesAreNoLongerThanIsCharged(t *testing.T) {
	problem, plan := severalOf(learntest.Clinic(), privacy.AddRemove)
	source := randomtest.New(6)
	for _, plan.Centring = range []*learn.Centring{
		nil, somewhere(),
		{Mean: []float64{-30, 1e6}, Scale: []float64{100, 3}},
		{Mean: []float64{0, 0}, Scale: []float64{1e-9, 1e-9}},
	} {
		event, err := plan.Event()
		require.NoError(t, err)
		grid, longest := gridOf(plan.Clip, plan.Sigmas[0]), 0.0
		for i := range 60 {
			theta := make([]float64, 9)
			for j := range theta {
				theta[j] = math.Exp(12*learntest.Uniform(source)-6) * math.Pow(-1, float64(j+i))
			}
			if i == 7 {
				theta[1], theta[4] = 0x1p300, -0x1p300
			}
			one := learn.Problem{Data: problem.Data.Select([]int{i}), Loss: problem.Loss}
			s, err := newSummer(one, plan)
			require.NoError(t, err)
			s.sum(theta, grid)
			squares := 0.0
			for _, k := range s.total {
				squares += float64(k) * grid * float64(k) * grid
			}
			longest = math.Max(longest, math.Sqrt(squares))
		}
		assert.LessOrEqual(t, longest, event.Sensitivity)
		if plan.Centring == nil || plan.Centring.Scale[0] > 1 {
			assert.InEpsilon(t, event.Sensitivity, longest, 1e-3)
		}
	}
}

// The price is that of one Gaussian mechanism, whatever the number of classes.
func TestSoftmaxIsChargedAsOneGaussianMechanism(t *testing.T) {
	_, plan := severalOf(learntest.Clinic(), privacy.AddRemove)
	event, err := plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, plan.Clip+math.Ldexp(3, -34), event.Sensitivity, 1e-13, "(g/2)√9")
	plan.Adjacency = privacy.ReplaceOne
	twice, err := plan.Event()
	require.NoError(t, err)
	assert.InEpsilon(t, 2*event.Sensitivity, twice.Sensitivity, 1e-15)
}

// A plan for another number of classes is refused before noise is drawn, and so are labels
// that are none.
func TestSoftmaxPlansThatCannotBe(t *testing.T) {
	problem, plan := severalOf(learntest.Clinic(), privacy.AddRemove)
	for field, spoil := range map[string]func(*Plan){
		"plan.classes":       func(p *Plan) { p.Classes, p.Dimension = 2, 6 },
		"plan.dimension":     func(p *Plan) { p.Dimension = 12 },
		"plan.centring.mean": func(p *Plan) { p.Centring = &learn.Centring{Mean: make([]float64, 8)} },
	} {
		wrong := plan
		spoil(&wrong)
		var bad *privacy.ParameterError
		_, _, err := Fit(t.Context(), problem, wrong, &randomtest.Script{}, nil)
		require.ErrorAs(t, err, &bad, field)
		assert.Equal(t, field, bad.Field)
	}
	for _, wrong := range []int{-3, 1, 2} { // 2 does not divide 9
		spoilt := plan
		spoilt.Classes = wrong
		var bad *privacy.ParameterError
		_, err := spoilt.Event()
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "classes", bad.Field)
	}
	one := planOf(problem, privacy.AddRemove, 1, 2, 1e-3)
	var bad *privacy.ParameterError
	_, _, err := Fit(t.Context(), problem, one, &randomtest.Script{}, nil)
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "plan.classes", bad.Field)
	for _, y := range []float64{3, -1, 0.5, math.NaN()} {
		problem.Data.Y[1] = y
		_, _, err := Fit(t.Context(), problem, plan, &randomtest.Script{}, nil)
		var row *learn.RowError
		require.ErrorAs(t, err, &row)
		assert.Equal(t, 1, row.Row)
	}
}
