package random

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/random/randomtest"
)

type referenceO struct {
	ID, Kind string
	Params   struct {
		Count       uint64
		Denominator uint64
		Epsilon     float64
		D, Bound    int
		Span        uint64 `json:"span_of_loss"`
		Adjacency   string
	}
	Expected struct {
		Rows  [][3]float64 `json:"rows_k_cdf_pmf"`
		Split struct {
			First   uint64
			Maximum int64
			Attains float64 `json:"p_first_attains"`
			Below   float64 `json:"p_first_below_given_at_most"`
		}
		Denominator, Shift uint64
		LogQ               float64 `json:"log_q"`
		MeanR              float64 `json:"mean_R"`
		Acceptance         float64
		PMF                [][2]float64
		Even               float64 `json:"p_even"`
		EvenNeighbour      float64 `json:"p_even_neighbour"`
	}
}

func near(t *testing.T, want, got float64, id string) {
	t.Helper()
	assert.LessOrEqual(
		t, math.Abs(want-got), 1e-12+1e-9*math.Abs(want), "%s: got %v, want %v", id, got, want,
	)
}

// Both the float64 and the bracket of each law meet the reference.
func TestReferenceMaximumOfGeometrics(t *testing.T) {
	for _, c := range golden.OfKind[referenceO](t, "O", "maximum-of-geometrics") {
		p, want := c.Params, c.Expected
		g, err := NewGeometric(p.Epsilon, p.Denominator)
		require.NoError(t, err)
		for _, row := range want.Rows {
			k := int64(row[0])
			near(t, row[1], math.Exp(float64(p.Count)*g.logRatio(k, unbounded)), c.ID)
			exact, _ := g.cumulative(firstPrecision, k).power(p.Count).lower.Float64()
			near(t, row[1], exact, c.ID+" exact")
			if k > 0 {
				before, _ := g.cumulative(firstPrecision, k-1).power(p.Count).lower.Float64()
				near(t, row[2], exact-before, c.ID+" mass")
			}
		}
		s := want.Split
		if s.First == p.Count {
			near(t, s.Attains, 1, c.ID)
		} else {
			near(t, s.Attains, g.attains(s.First, p.Count, s.Maximum), c.ID)
		}
		near(t, s.Below, math.Exp(float64(s.First)*g.logRatio(s.Maximum-1, s.Maximum)), c.ID)
	}
}

// draws of a law whose distribution function is cdf, in cells of about equal
// probability, against it.
func chiSquareOf(t *testing.T, draws []int64, cdf func(int64) float64) {
	t.Helper()
	slices.Sort(draws)
	n := float64(len(draws))
	var observed []int
	var expected []float64
	low, count := 0.0, 0
	for i := 0; i < len(draws); {
		k := draws[i]
		for i < len(draws) && draws[i] == k {
			i++
			count++
		}
		if p := cdf(k); (p-low)*n >= 200 && (1-p)*n >= 200 {
			observed, expected = append(observed, count), append(expected, (p-low)*n)
			low, count = p, 0
		}
	}
	observed, expected = append(observed, count), append(expected, (1-low)*n)
	require.Greater(t, len(observed), 2)
	assert.Greater(t, chiSquare(observed, expected), falseAlarm)
}

func TestMaximaHaveTheirLaw(t *testing.T) {
	for i, c := range []struct {
		epsilon float64
		parts   uint64
		n       uint64
	}{{1, 1, 1}, {0.1, 1, 3}, {1, 16, 243}, {1, 64, 94143178827}, {0.3, 7, MaxCount}} {
		g, err := NewGeometric(c.epsilon, c.parts)
		require.NoError(t, err)
		src := randomtest.New(uint64(30 + i))
		draws := make([]int64, 20_000)
		for j := range draws {
			draws[j], err = g.Maximum(src, c.n)
			require.NoError(t, err)
		}
		rate := c.epsilon / float64(c.parts)
		chiSquareOf(t, draws, func(k int64) float64 {
			return math.Exp(float64(c.n) * math.Log1p(-math.Exp(-float64(k+1)*rate)))
		})
	}
}

// A tree of splits is judged by what its leaves are: independent geometric
// numbers. All values of four leaves together are counted, those from 2 on as 2.
func TestSplitsMakeIndependentGeometrics(t *testing.T) {
	const rate, most = 0.7, 2
	g, err := NewGeometric(rate, 1)
	require.NoError(t, err)
	src := randomtest.New(40)
	const n = 100_000
	cells := make([]int, 81)
	for range n {
		all, err := g.Maximum(src, 4)
		require.NoError(t, err)
		var parts, ends [2]int64
		var leaves [4]int64
		require.NoError(t, g.Split(src, all, []uint64{1, 3}, parts[:]))
		leaves[0] = parts[0]
		require.NoError(t, g.Split(src, parts[1], []uint64{2, 1}, ends[:]))
		leaves[3] = ends[1]
		require.NoError(t, g.Split(src, ends[0], []uint64{1, 1}, leaves[1:3]))
		cell := 0
		for _, k := range leaves {
			cell = cell*3 + int(min(k, most))
		}
		cells[cell]++
	}
	mass := func(k int) float64 {
		if k == most {
			return math.Exp(-rate * most)
		}
		return math.Exp(-rate*float64(k)) * -math.Expm1(-rate)
	}
	expected := make([]float64, 81)
	for cell := range expected {
		expected[cell] = n * mass(cell/27) * mass(cell/9%3) * mass(cell/3%3) * mass(cell%3)
	}
	assert.Greater(t, chiSquare(cells, expected), falseAlarm)
}

// What float64 decides is what brackets decide, on the same words.
func TestBracketsDecideAsFloatsDo(t *testing.T) {
	defer func(before float64) { margin = before }(margin)
	const third = 31381059609
	fast := margin
	for i := range 200 {
		g, err := NewGeometric([]float64{0.1, 1, 0.003}[i%3], []uint64{64, 1}[i%2])
		require.NoError(t, err)
		decide := func(m float64) (reaches bool, all, part int64) {
			margin = m
			all, err := g.Maximum(randomtest.New(uint64(i)), 3*third)
			require.NoError(t, err)
			reaches, err = g.reaches(randomtest.New(uint64(i)), third, 3*third, all)
			require.NoError(t, err)
			part, err = g.atMost(randomtest.New(uint64(i)), third, all)
			require.NoError(t, err)
			return reaches, all, part
		}
		reaches, all, part := decide(fast)
		slowReaches, slowAll, slowPart := decide(1)
		assert.Equal(t, reaches, slowReaches)
		assert.Equal(t, all, slowAll)
		assert.Equal(t, part, slowPart)
	}
}

// The argmin of losses less Gumbel noises split from the top is the exponential
// mechanism.
func TestGumbelSplitsMakeTheExponentialMechanism(t *testing.T) {
	g, err := NewGumbel(1, 2)
	require.NoError(t, err)
	losses := []int64{3, 0, 2, 5, 1}
	src := randomtest.New(60)
	n := 60_000
	if testing.Short() {
		n = 5_000
	}
	observed := make([]int, len(losses))
	for range n {
		all, err := g.First(src, 5)
		require.NoError(t, err)
		var parts [2]Arrival
		leaves := make([]Arrival, 5)
		require.NoError(t, g.Split(src, all, []uint64{2, 3}, parts[:]))
		require.NoError(t, g.Split(src, parts[0], []uint64{1, 1}, leaves[:2]))
		require.NoError(t, g.Split(src, parts[1], []uint64{1, 1, 1}, leaves[2:]))
		best := 0
		for i := range losses {
			if i > 0 {
				before, err := g.Before(src, losses[i]-losses[best], leaves[i], leaves[best])
				require.NoError(t, err)
				if before {
					best = i
				}
			}
			lower, upper := g.Noise(leaves[i])
			require.LessOrEqual(t, lower, upper)
			require.LessOrEqual(t, upper-lower, 1e-9*(1+math.Abs(upper)))
		}
		observed[best]++
	}
	expected, sum := make([]float64, len(losses)), 0.0
	for i, f := range losses {
		expected[i] = math.Exp(-float64(f) / 2)
		sum += expected[i]
	}
	for i := range expected {
		expected[i] *= float64(n) / sum
	}
	assert.Greater(t, chiSquare(observed, expected), falseAlarm)
}

func TestGumbelBracketsDecideAsFloatsDo(t *testing.T) {
	defer func(before float64) { margin = before }(margin)
	g, err := NewGumbel(0.3, 1)
	require.NoError(t, err)
	src := randomtest.New(61)
	trials := 200
	if testing.Short() {
		trials = 40
	}
	for i := range trials {
		first, err := g.First(src, 1<<40)
		require.NoError(t, err)
		parts := make([]Arrival, 3)
		require.NoError(t, g.Split(src, first, []uint64{1 << 38, 1 << 38, 1 << 39}, parts))
		more := int64(i%7 - 3)
		margin = 0x1p-33
		fast, err := g.Before(src, more, parts[0], parts[2])
		require.NoError(t, err)
		margin = 1
		slow, err := g.Before(src, more, parts[0], parts[2])
		require.NoError(t, err)
		back, err := g.Before(src, -more, parts[2], parts[0])
		require.NoError(t, err)
		assert.Equal(t, fast, slow)
		assert.Equal(t, slow, !back)
	}
}

func TestReferenceLatticeCentre(t *testing.T) {
	for _, c := range golden.OfKind[referenceO](t, "O", "proximal-centre") {
		p, want := c.Params, c.Expected
		l, err := NewLatticeCentre(p.Epsilon, want.Shift, p.D, p.Bound)
		require.NoError(t, err, c.ID)
		near(t, want.LogQ, -l.step.rate, c.ID)
		// The mass that is proposed and kept, R by R, in proportion to the law.
		d, b := float64(p.D), float64(p.Bound)
		mass := func(r float64) float64 {
			log := r*want.LogQ + d*math.Log(4*b*r+1)
			return math.Exp(log)
		}
		sum, mean := 0.0, 0.0
		for r := 0.0; r < 60_000; r++ {
			sum, mean = sum+mass(r), mean+r*mass(r)
		}
		near(t, want.MeanR, mean/sum, c.ID)
		for _, row := range want.PMF {
			near(t, row[1], mass(row[0])/sum, c.ID)
		}
		// Draws of R have that law, and the rate of keeping is the reference's.
		src := randomtest.New(70)
		tries := 10_000
		if testing.Short() {
			tries = 2_000
		}
		draws, centre := make([]int64, tries), make([]int64, p.D)
		for i := range draws {
			draws[i], err = l.Draw(src, centre)
			require.NoError(t, err)
			assert.LessOrEqual(t, draws[i], l.Largest())
			for _, y := range centre {
				assert.LessOrEqual(t, max(y, -y), 2*int64(p.Bound)*draws[i])
			}
		}
		cumulative := make([]float64, slices.Max(draws)+1)
		for r := range cumulative {
			cumulative[r] = mass(float64(r)) / sum
			if r > 0 {
				cumulative[r] += cumulative[r-1]
			}
		}
		chiSquareOf(t, draws, func(k int64) float64 { return min(1, cumulative[k]) })
		kept := 0
		for range tries {
			total := uint64(0)
			for range p.D + 1 {
				k, err := l.step.Maximum(src, 1)
				require.NoError(t, err)
				total += uint64(k)
			}
			keep, err := l.keeps(src, total)
			require.NoError(t, err)
			if keep {
				kept++
			}
		}
		assert.True(
			t, plausibleCount(kept, tries, want.Acceptance, falseAlarm), "%s: %d kept", c.ID, kept,
		)
	}
}

// R and y together, on one coordinate: (R, y) is uniform over the slice and
// falls by q from slice to slice.
func TestLatticeCentreIsUniformOnItsCone(t *testing.T) {
	l, err := NewLatticeCentre(0.7, 1, 1, 1)
	require.NoError(t, err)
	src := randomtest.New(71)
	const n = 50_000
	points := map[[2]int64]int{}
	var centre [1]int64
	for range n {
		r, err := l.Draw(src, centre[:])
		require.NoError(t, err)
		points[[2]int64{r, centre[0]}]++
	}
	sum := 0.0
	for r := 0.0; r < 200; r++ {
		sum += math.Exp(-0.7*r) * (4*r + 1)
	}
	var observed []int
	var expected []float64
	restCount, restMass := n, float64(n)
	for r := int64(0); r < 5; r++ {
		for y := -2 * r; y <= 2*r; y++ {
			e := n * math.Exp(-0.7*float64(r)) / sum
			count := points[[2]int64{r, y}]
			observed, expected = append(observed, count), append(expected, e)
			restCount, restMass = restCount-count, restMass-e
		}
	}
	assert.Greater(
		t, chiSquare(append(observed, restCount), append(expected, restMass)), falseAlarm,
	)
}

// Weights are kept often enough for the limit on refusals, at every dimension.
func TestLatticeCentreIsRarelyRefused(t *testing.T) {
	src := randomtest.New(72)
	for _, d := range []int{1, 2, 3, 8, 23, 64} {
		for _, bound := range []int{1, 5} {
			l, err := NewLatticeCentre(1, uint64(d), d, bound)
			require.NoError(t, err)
			kept := 0
			for range 400 {
				total := uint64(0)
				for range d + 1 {
					k, err := l.step.Maximum(src, 1)
					require.NoError(t, err)
					total += uint64(k)
				}
				if keep, err := l.keeps(src, total); err == nil && keep {
					kept++
				}
			}
			assert.Greater(t, kept, 130, "dimension %d, bound %d", d, bound)
		}
	}
}

func TestMaximaRefuseBadParameters(t *testing.T) {
	var wrong *ParameterError
	for _, c := range []struct {
		epsilon float64
		parts   uint64
	}{{0, 1}, {-1, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1, 0}, {1e-13, 1}, {65, 1},
		{1, 1<<53 + 1}} {
		_, err := NewGeometric(c.epsilon, c.parts)
		assert.ErrorAs(t, err, &wrong, "%v/%d", c.epsilon, c.parts)
		_, err = NewGumbel(c.epsilon, c.parts)
		assert.ErrorAs(t, err, &wrong)
	}
	g, err := NewGeometric(1, 1)
	require.NoError(t, err)
	src := randomtest.New(80)
	_, err = g.Maximum(src, 0)
	assert.ErrorAs(t, err, &wrong)
	_, err = g.Maximum(src, MaxCount+1)
	assert.ErrorAs(t, err, &wrong)
	parts := make([]int64, 2)
	assert.ErrorAs(t, g.Split(src, 3, []uint64{MaxCount, 1}, parts), &wrong)
	assert.ErrorAs(t, g.Split(src, -1, []uint64{1, 1}, parts), &wrong)
	assert.ErrorAs(t, g.Split(src, 601, []uint64{1, 1}, parts), &wrong)
	assert.ErrorAs(t, g.Split(src, 3, []uint64{0, 1}, parts), &wrong)
	assert.Panics(t, func() { _ = g.Split(src, 3, []uint64{1}, parts) })
	for _, c := range [][3]int{
		{0, 1, 8}, {65, 1, 100}, {2, 0, 8}, {2, 1<<16 + 1, 8}, {9, 1, 8}, {2, 1, 1 << 31},
	} {
		_, err := NewLatticeCentre(1, uint64(c[2]), c[0], c[1])
		assert.ErrorAs(t, err, &wrong, "%v", c)
	}
}

func TestMaximaPassOnFailingSources(t *testing.T) {
	broken := errors.New("broken")
	g, err := NewGeometric(0.1, 64)
	require.NoError(t, err)
	b, err := NewGumbel(0.1, 64)
	require.NoError(t, err)
	l, err := NewLatticeCentre(1, 32, 23, 1)
	require.NoError(t, err)
	for n := range 3 {
		source := func() Source { return randomtest.NewFailAfter(9, n, broken) }
		assert.ErrorIs(t, g.Split(source(), 100, []uint64{5, 5, 5, 5, 5}, make([]int64, 5)), broken)
		assert.ErrorIs(
			t, b.Split(source(), Arrival{}, []uint64{5, 5, 5, 5}, make([]Arrival, 4)), broken,
		)
		_, err := l.Draw(source(), make([]int64, 23))
		assert.ErrorIs(t, err, broken)
	}
	stuck := make([]uint64, 4000)
	for i := range stuck {
		stuck[i] = math.MaxUint64
	}
	_, err = g.Maximum(&randomtest.Script{Words: stuck}, 5)
	assert.ErrorIs(t, err, ErrStuck, "all ones are beyond every maximum")
}

func BenchmarkGeometricSplit(b *testing.B) {
	g, err := NewGeometric(0.1, 64)
	require.NoError(b, err)
	src, parts := randomtest.New(1), make([]int64, 3)
	counts := []uint64{31381059609, 31381059609, 31381059609}
	for b.Loop() {
		if err := g.Split(src, 16470, counts, parts); err != nil {
			b.Fatal(err)
		}
	}
}
