package solve

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
)

// What products that underflow lose is in every bound.
func TestAllowanceOfUnderflow(t *testing.T) {
	_, eta := fineMargin(nil, []float64{1e-200}, []float64{1e-200}, nil)
	assert.Greater(t, eta, 1e-300)

	s := NewSum(1)
	s.AddProduct(0, 1e-200, 1e-200)
	assert.Greater(t, s.ErrorBound(), 0x1p-1001)

	r := rowsOf(clip(t, glm.Logistic{}, 1e9), 1, [][]float64{{5e-324}}, []float64{1})
	assert.Greater(t, r.Certify([]float64{0}, NewSum(1)), 0x1p-901)
}

// The bound of rows that are cut into shards is rounded up like that of others.
func TestAllowanceOfShards(t *testing.T) {
	r := census(t, 45_000, logistic(t))
	require.Greater(t, r.shards(), 1)
	theta := make([]float64, r.Columns)
	bound := r.Certify(theta, NewSum(r.Columns))
	plain := r.certify(0, r.Records(), theta, NewSum(r.Columns))
	assert.Greater(t, bound, plain*(1+0x1p-21))
}

// A certificate is of all parts, of the sums' own errors and of the offset, and its norm
// is rounded up.
func TestAllowanceOfCertificates(t *testing.T) {
	assert.GreaterOrEqual(
		t, Certificate{GradientNorm: 1, RoundingBound: 0.25, Offset: 0.5}.Upper(), 1.75,
	)

	one := census(t, 40, logistic(t))
	theta := make([]float64, one.Columns)
	for j := range theta {
		theta[j] = 1 / (3 + float64(j))
	}
	alone := one.Certify(theta, NewSum(one.Columns))
	both := NewObjective(1, nil, one, one).Certify(theta)
	assert.Greater(t, both.RoundingBound, 2*alone, "two parts, and the sum's own errors")

	still := rowsOf(clip(t, glm.Squared{}, 1e9), 1, [][]float64{{0}}, []float64{0})
	own := NewObjective(1.0/3, []float64{1e100}, still).Certify([]float64{1e90})
	assert.Greater(t, own.RoundingBound, 0x1p-104*1e100, "of nothing but the sum's own errors")

	source, below := seeded(9), 0
	const d = 30
	rows := rowsOf(clip(t, glm.Squared{}, 1e9), 1, [][]float64{make([]float64, d)}, []float64{0})
	for range 200 {
		linear, squares := make([]float64, d), precise(0)
		for j := range linear {
			linear[j] = source.symmetric()
			squares.Add(squares, new(big.Float).Mul(precise(linear[j]), precise(linear[j])))
		}
		exact := squares.Sqrt(squares)
		got := NewObjective(1, linear, rows).Certify(make([]float64, d)).GradientNorm
		require.Positive(t, precise(got).Cmp(exact))
		plain := 0.0
		for _, x := range linear {
			plain += x * x
		}
		if precise(math.Sqrt(plain)).Cmp(exact) < 0 {
			below++
		}
	}
	assert.Greater(t, below, 20, "as many are below without it")
}
