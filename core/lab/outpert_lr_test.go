package lab

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
)

// λ makes the bound least: on both sides of it the bound is larger.
func TestLowyRazaviyaynLambdaMakesTheBoundLeast(t *testing.T) {
	const n, norm, dimension, epsilon, delta = 36177.0, 1.25, 105, 1.0, 1e-5
	lambda, radius, err := lowyRazaviyayn(n, norm, dimension, epsilon, delta)
	require.NoError(t, err)
	bound := func(lambda float64) float64 {
		sigma, err := outpert.LowyRazaviyaynSigma(norm/lambda, epsilon, delta)
		require.NoError(t, err)
		return norm*math.Sqrt(dimension)*sigma + lambda/n*radius*radius/2
	}
	for _, factor := range []float64{0.5, 0.99, 1.01, 2} {
		assert.Greater(t, bound(factor*lambda), bound(lambda))
	}
	_, _, err = lowyRazaviyayn(n, norm, dimension, epsilon, 0.6)
	assert.Error(t, err, "their calibration wants δ < 1/2")
}

// The noise is theirs for this λ and for this price, more than the exact
// calibration's; the model lies in the ball.
func TestLowyRazaviyaynIsTheirs(t *testing.T) {
	l := few()
	m, err := FindMethod("outpert-lr")
	require.NoError(t, err)
	train := l.given[Given]
	g := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	out, err := m.fit(
		&job{
			ctx:       context.Background(),
			train:     train,
			guarantee: g,
			source:    seeded.New("lr"),
			prices:    &l.prices,
		},
	)
	require.NoError(t, err)
	lambda, radius, err := lowyRazaviyayn(
		400, train.Schema.RowNorm(), train.Schema.Dimension(), 1, 1e-5,
	)
	require.NoError(t, err)
	event := out.event.(privacy.Gaussian)
	sigma, err := outpert.LowyRazaviyaynSigma(train.Schema.RowNorm()/lambda, 1, 1e-5)
	require.NoError(t, err)
	assert.InEpsilon(t, sigma, event.Sigma, 1e-4)
	require.NoError(t, l.prices.covers(event, 1, 1e-5))
	assert.NoError(t, l.prices.covers(event, 0.95, 1e-5), "more noise than it takes")
	length := 0.0
	for _, c := range out.model.(learn.Model).Coefficients {
		length += c * c
	}
	assert.LessOrEqual(t, math.Sqrt(length), radius*(1+1e-9))
}
