package random

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// Distribution functions in 220-bit arithmetic, by other formulas than the
// tables' own.
func TestThresholdsOfTheHalfGaussian(t *testing.T) {
	total, terms := newPrecise(), make([]*big.Float, 900)
	for i := range terms {
		terms[i] = preciseExp(newPrecise().Quo(precise(-float64(i)*float64(i)), precise(512)))
		total.Add(total, terms[i])
	}
	table, sum := halfGaussian(), newPrecise()
	require.Len(t, table.low, halfGaussianCells)
	for y, low := range table.low {
		sum.Add(sum, terms[y])
		assertThreshold(t, newPrecise().Quo(sum, total), low)
	}
	// The digits asked for on a tie begin with the same ones.
	for y, c := range table.digits(128) {
		if y < 100 {
			assert.InDelta(t, 0, float64(int64(c.Rsh(c, 64).Uint64()-table.low[y])), 1)
		}
	}
}

// assertThreshold checks that low is the first 64 digits of c, or one less.
func assertThreshold(t *testing.T, c *big.Float, low uint64) {
	t.Helper()
	scaled := newPrecise().SetMantExp(c, 64)
	floor, _ := scaled.Int(nil)
	if floor.IsUint64() {
		difference := floor.Uint64() - low
		assert.LessOrEqual(t, difference, uint64(1))
	} else {
		assert.GreaterOrEqual(t, low, ^uint64(1))
	}
}

func preciseExp(x *big.Float) *big.Float {
	// e^x = (e^(x/2^k))^(2^k), by the series.
	const halvings = 12
	small := newPrecise().SetMantExp(x, -halvings)
	term, sum := precise(1), precise(1)
	for k := 1; k < 60; k++ {
		term.Mul(term, small)
		term.Quo(term, precise(float64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

func TestThresholdsOfGaps(t *testing.T) {
	for _, rate := range []float64{0.5, 0.25, 0.007076319206125439, 0.9, 0x1p-40, 1 - 0x1p-53} {
		p, err := NewPoissonSampler(rate)
		require.NoError(t, err)
		stay := newPrecise().Sub(precise(1), precise(rate))
		power := precise(1)
		for _, low := range p.gaps.low {
			power.Mul(power, stay)
			assertThreshold(t, newPrecise().Sub(precise(1), power), low)
		}
	}
}

func TestCellsAreGaussian(t *testing.T) {
	const n = 200_000
	for _, bits := range []int{4, 20, MaxCellBits} {
		draws := make([]float64, n)
		require.NoError(t, GaussianCells(randomtest.New(uint64(bits)), draws, bits))
		scale := math.Ldexp(1, bits)
		first, second, fourth := 0.0, 0.0, 0.0
		// cells of half a deviation from −3 to 3
		counts, expected := make([]int, 12), make([]float64, 12)
		for _, x := range draws {
			if math.Abs(x)-math.Floor(math.Abs(x)) != 0.5 { // cheaper than an assertion for each
				require.Fail(t, "not the middle of a cell", "%v", x)
			}
			z := x / scale
			first += z / n
			second += z * z / n
			fourth += z * z * z * z / n
			k := int(math.Floor(2*z)) + 6
			counts[min(max(k, 0), 11)]++
		}
		for k := range expected {
			low, high := math.Inf(-1), math.Inf(1)
			if k > 0 {
				low = float64(k-6) / 2
			}
			if k < 11 {
				high = float64(k-5) / 2
			}
			expected[k] = n * (math.Erfc(-high/math.Sqrt2) - math.Erfc(-low/math.Sqrt2)) / 2
		}
		assert.Greater(t, chiSquare(counts, expected), falseAlarm)
		// The moments' standard deviations are √1, √2 and √96 over √n; a Gaussian
		// exceeds 5.9 of them with probability 4e-9.
		root := 5.9 / math.Sqrt(n)
		assert.InDelta(t, 0, first, root)
		assert.InDelta(t, 1+1/(12*scale*scale), second, root*math.Sqrt2)
		assert.InDelta(t, 3+0.5/(scale*scale), fourth, root*math.Sqrt(96))
	}
}

// Within a sixteenth of a deviation, which the table does not see, positions
// have the Gaussian's density too: all cells of 2^-6.
func TestCellsWithinAStep(t *testing.T) {
	const n, bits = 400_000, 6
	draws := make([]float64, n)
	require.NoError(t, GaussianCells(randomtest.New(77), draws, bits))
	counts, expected := make([]int, 4*64), make([]float64, 4*64) // −2 to 2
	for _, x := range draws {
		if k := int(math.Floor(x)) + 128; k >= 0 && k < len(counts) {
			counts[k]++
		}
	}
	total, mass := 0, 0.0
	for k := range expected {
		low := float64(k-128) / 64
		expected[k] = n * (math.Erf((low+1.0/64)/math.Sqrt2) - math.Erf(low/math.Sqrt2)) / 2
		total += counts[k]
		mass += expected[k]
	}
	assert.Greater(t, chiSquare(append(counts, n-total), append(expected, n-mass)), falseAlarm)
}

// Where the first digits do not decide, more are drawn: scripts that make every
// comparison a tie for as long as can be.
func TestCellsOnTies(t *testing.T) {
	table := halfGaussian()
	// The first half word is that of c₃; what follows is below or above the rest
	// of its digits.
	c := table.digits(192)[3]
	digits := func(i uint) uint64 {
		w := new(big.Int).Rsh(c, 128-64*i)
		return w.And(w, new(big.Int).SetUint64(^uint64(0))).Uint64()
	}
	for _, tt := range []struct {
		second uint64
		want   int
	}{{0, 3}, {^uint64(0), 4}} {
		y, err := table.draw(
			uint32(digits(0)>>32), &randomtest.Script{Words: []uint64{tt.second << 32}},
		)
		require.NoError(t, err)
		assert.Equal(t, tt.want, y, "64 digits decide")
		y, err = table.draw(
			uint32(digits(0)>>32), &randomtest.Script{Words: []uint64{digits(0) << 32, tt.second}},
		)
		require.NoError(t, err)
		assert.Equal(t, tt.want, y, "128 digits decide")
		y, err = table.draw(
			uint32(digits(0)>>32),
			&randomtest.Script{Words: []uint64{digits(0) << 32, digits(1), tt.second}},
		)
		require.NoError(t, err)
		assert.Equal(t, tt.want, y, "192 digits decide")
	}
	_, err := table.draw(
		uint32(digits(0)>>32), &randomtest.Script{Words: []uint64{digits(0) << 32}},
	)
	assert.ErrorIs(t, err, randomtest.ErrExhausted)

	// Acceptance: U is e^−γ for R = r + what follows, to the digits drawn.
	for _, y := range []int{0, 5, 40} {
		const r = 0x2468ace1
		tail := uint64(0x123456789abcdef0)
		position := new(big.Int).SetUint64(r)
		position.Lsh(position, 64).Or(position, new(big.Int).SetUint64(tail))
		e := preciseExp(preciseExponent(y, position, 95))
		scaled, _ := newPrecise().SetMantExp(e, 96).Int(nil)
		u := uint32(new(big.Int).Rsh(scaled, 64).Uint64())
		rest := new(big.Int).And(scaled, new(big.Int).SetUint64(^uint64(0))).Uint64()
		high := exponent(y, (r+1)*0x1p-31)
		for _, tt := range []struct {
			words  []uint64
			accept bool
		}{
			{[]uint64{tail, 0}, true},
			{[]uint64{tail, ^uint64(0)}, false},
			{[]uint64{tail, rest, 0, 0}, true},
			{[]uint64{tail, rest, ^uint64(0), ^uint64(0)}, false},
		} {
			script := &randomtest.Script{Words: tt.words}
			accept, err := belowExp(y, r, u, high, script)
			require.NoError(t, err)
			assert.Equal(t, tt.accept, accept, "y = %d, %x", y, tt.words)
			assert.Equal(t, len(tt.words), script.Read, "y = %d, %x", y, tt.words)
		}
	}
}

func preciseExponent(y int, position *big.Int, places int) *big.Float {
	r := newPrecise().SetMantExp(newPrecise().SetInt(position), -places)
	sum := newPrecise().Add(precise(float64(2*y)), r)
	sum.Mul(sum, r)
	return sum.Quo(sum, precise(-512))
}

func TestCellsRefuse(t *testing.T) {
	var parameter *ParameterError
	dst := []float64{1, 2}
	for _, bits := range []int{3, MaxCellBits + 1} {
		assert.ErrorAs(t, GaussianCells(randomtest.New(1), dst, bits), &parameter)
		assert.True(t, math.IsNaN(dst[0]) && math.IsNaN(dst[1]))
	}
	dry := errors.New("dry")
	for words := range 3 {
		assert.ErrorIs(t, GaussianCells(randomtest.NewFailAfter(5, words, dry), dst, 20), dry)
		assert.True(t, math.IsNaN(dst[0]) && math.IsNaN(dst[1]))
	}
	// A source of ones only: Y would be beyond 18 deviations.
	ones := make([]uint64, 100)
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	assert.ErrorIs(t, GaussianCells(&randomtest.Script{Words: ones}, dst, 20), ErrStuck)
}
