package plane

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab/seeded"
	"cloister/core/learn/amp"
	"cloister/core/privacy"
)

func made(t *testing.T, points Points) *Plane {
	p, err := New(t.Context(), points)
	require.NoError(t, err)
	return p
}

func asked(method Method, epsilon float64, draws int) Request {
	return Request{
		Method:    method,
		Guarantee: privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: epsilon, Delta: 1e-5},
		Draws:     draws,
	}
}

// spread is the root mean square of the angle to the line without privacy.
func (p *Plane) spread(t *testing.T, r Request) float64 {
	fits, err := p.Fits(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, fits.Lines, r.Draws)
	sum := 0.0
	for _, line := range fits.Lines {
		angle := line.Angle(p.Plain())
		sum += angle * angle / float64(r.Draws)
	}
	return math.Sqrt(sum)
}

func TestPointsAreAsSaid(t *testing.T) {
	p := made(t, Points{Count: 20_000, Separation: 2, Seed: 7})
	at := p.At()
	require.Len(t, at, 40_000)
	dy, dx := math.Sincos(direction)
	const scale = 1.0 / 4 // of half the separation and three standard deviations
	var along, across, square [2]float64
	outside := 0.0
	for i := range 20_000 {
		x, y := at[2*i], at[2*i+1]
		assert.LessOrEqual(t, math.Hypot(x, y), 1.0)
		if math.Hypot(x, y) > 1-1e-9 {
			outside++
		}
		along[i%2] += (x*dx + y*dy) / scale / 10_000
		across[i%2] += (y*dx - x*dy) / scale / 10_000
		square[i%2] += math.Pow((y*dx-x*dy)/scale, 2) / 10_000
	}
	// Standard errors are 0.01, and 0.014 of the variance.
	assert.InDelta(t, 1, along[0], 0.05)
	assert.InDelta(t, -1, along[1], 0.05)
	for class := range 2 {
		assert.InDelta(t, 0, across[class], 0.05)
		assert.InDelta(t, 1, square[class], 0.08)
	}
	assert.Less(t, outside/20_000, 0.01)
	// Nothing errs for less than Φ(−1) of the points; 4,000 are scored.
	assert.InDelta(t, 0.8413, p.Plain().Accuracy, 0.03)
	assert.Less(t, p.Plain().Angle(Line{A: dx, B: dy}), 0.05)
	assert.NotEqual(t, at[:10], made(t, Points{Count: 10, Separation: 2, Seed: 8}).At()[:10])
}

// What is drawn is what the learner gives, draw by draw, whatever the pieces it
// was asked for in.
func TestLinesAreTheLearners(t *testing.T) {
	p := made(t, Points{Count: 200, Separation: 2, Seed: 3})
	r := asked(Objective, 1, 4)
	all, err := p.Fits(t.Context(), r)
	require.NoError(t, err)
	event := all.Event.(privacy.ApproximateMinima)
	for k, name := range []string{"plane/noise/3/0", "plane/noise/3/1", "plane/noise/3/2", "plane/noise/3/3"} {
		model, _, err := amp.Fit(t.Context(), p.problem(), event, seeded.New(name), nil)
		require.NoError(t, err)
		assert.Equal(t, p.line(model.Coefficients), all.Lines[k])
	}
	r.First, r.Draws = 2, 2
	rest, err := p.Fits(t.Context(), r)
	require.NoError(t, err)
	assert.Equal(t, all.Lines[2:], rest.Lines)
}

// The noise that is seen is the noise that is paid for: to first order a fit
// differs from one without noise by H⁻¹b + ζ, b ~ N(0, σ²I) and ζ ~ N(0, σ_out²I), so
// that E‖H(θ − θ₀)‖² = 3σ² + σ_out²‖H‖²_F. The mean over 200 draws has a relative
// standard error of 0.06 or so.
func TestTheSpreadIsThatOfTheNoise(t *testing.T) {
	const draws = 200
	p := made(t, Points{Count: 1500, Separation: 2, Seed: 5})
	fits, err := p.Fits(t.Context(), asked(Objective, 2, draws))
	require.NoError(t, err)
	event := fits.Event.(privacy.ApproximateMinima)
	o := event.Objective
	theta := func(l Line) [3]float64 { return [3]float64{l.A, l.B, l.C / 0.5} } // κ = 1/2
	var middle [3]float64
	for _, line := range fits.Lines {
		for j, c := range theta(line) {
			middle[j] += c / draws
		}
	}
	h := [3][3]float64{{o.Lambda, 0, 0}, {0, o.Lambda, 0}, {0, 0, o.Lambda}}
	for i := range p.fitted.X.Rows() {
		row := p.fitted.X.Row(i).Value
		score := row[0]*middle[0] + row[1]*middle[1] + row[2]*middle[2]
		wrong := 1 / (1 + math.Exp(p.fitted.Y[i]*score))
		if wrong*math.Sqrt(row[0]*row[0]+row[1]*row[1]+row[2]*row[2]) > o.Lipschitz {
			continue // clipped: its gradient does not change
		}
		for a := range 3 {
			for b := range 3 {
				h[a][b] += wrong * (1 - wrong) * row[a] * row[b]
			}
		}
	}
	seen, frobenius := 0.0, 0.0
	for _, line := range fits.Lines {
		at := theta(line)
		for a := range 3 {
			moved := 0.0
			for b := range 3 {
				moved += h[a][b] * (at[b] - middle[b])
			}
			seen += moved * moved / (draws - 1)
		}
	}
	for a := range 3 {
		for b := range 3 {
			frobenius += h[a][b] * h[a][b]
		}
	}
	expected := func(sigma float64) float64 {
		return 3*sigma*sigma + event.SigmaOut*event.SigmaOut*frobenius
	}
	assert.InDelta(t, 1, seen/expected(o.Sigma), 0.3)
	assert.Greater(t, seen/expected(o.Sigma/2), 1.6, "twice the noise would be noticed")
	assert.Less(t, seen/expected(2*o.Sigma), 0.6, "half the noise would be noticed")
}

func TestPrivacyCostsLessWithMoreBudgetAndMoreRecords(t *testing.T) {
	for _, method := range Methods {
		few, many := made(
			t, Points{Count: 300, Separation: 2, Seed: 1},
		), made(
			t, Points{Count: 3000, Separation: 2, Seed: 1},
		)
		strict, lax := few.spread(t, asked(method, 0.3, 20)), few.spread(t, asked(method, 3, 20))
		assert.Less(t, lax, strict/2, method)
		assert.Less(t, many.spread(t, asked(method, 0.3, 20)), strict/2, method)
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	for _, points := range []Points{
		{Count: 9, Separation: 1}, {Count: 20_001, Separation: 1}, {Count: 100, Separation: -1},
		{Count: 100, Separation: math.NaN()},
	} {
		_, err := New(t.Context(), points)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
	}
	p := made(t, Points{Count: 100, Separation: 1})
	for field, r := range map[string]Request{
		"method":  asked("magic", 1, 2),
		"draws":   asked(Objective, 1, 201),
		"epsilon": asked(Objective, -1, 2),
	} {
		_, err := p.Fits(t.Context(), r)
		var bad *privacy.ParameterError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, field, bad.Field)
	}
}
