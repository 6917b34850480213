package dpgd

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/random/randomtest"
)

// plainRow is a row rounded to multiples of unit.
func plainRow(unit float64, x ...float64) []float64 {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = math.RoundToEven(v/unit) * unit
	}
	return out
}

// manySets are data sets of few rows, sparse and dense, plans for their rows, and points: some of
// them far away, and centrings that are far from all rows.
func manySets(t *testing.T, visit func(problem learn.Problem, plan Plan, theta []float64)) {
	_, dense := learntest.Flipped(t)
	small := learntest.Clinic().Data.Select([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	source := randomtest.New(12)
	for _, d := range []*data.Dataset{dense, learntest.Sparse(dense), small} {
		for _, loss := range append(learntest.Losses(t), glm.Softmax{}) {
			problem, classes := learn.Problem{Data: d, Loss: loss}, 0
			if loss == glm.Loss(glm.Softmax{}) {
				problem.Data, classes = learntest.Several(d), 3
			}
			columns := problem.Dimension()
			for try := range 12 {
				plan := Plan{
					Clip:    math.Exp2(12*learntest.Uniform(source) - 8),
					RowNorm: d.Schema.RowNorm(), Classes: classes,
					Dimension: columns * max(1, classes),
				}
				if try%3 > 0 {
					plan.Centring = &learn.Centring{}
					for range columns - 1 {
						mean := learntest.Uniform(source) * math.Pow(1000, float64(try%3-1))
						plan.Centring.Mean = append(plan.Centring.Mean, mean)
						scale := math.Exp2(8*learntest.Uniform(source) - 4)
						plan.Centring.Scale = append(plan.Centring.Scale, scale)
					}
				}
				theta := make([]float64, plan.Dimension)
				for j := range theta {
					theta[j] = (2*learntest.Uniform(source) - 1) * math.Pow(10, float64(try%7-3))
				}
				visit(problem, plan, theta)
			}
		}
	}
}

// What a record adds, as it is described: its row rounded to whole numbers of units, dense and in
// exact arithmetic, times its slope, a whole number of steps of h, near the clipped slope. And it
// is no longer than C, exactly.
func TestARecordAddsItsRowAWholeNumberOfTimes(t *testing.T) {
	count, clipped := 0, 0
	manySets(t, func(problem learn.Problem, plan Plan, theta []float64) {
		grid := gridOf(plan.Clip, plan.Clip)
		threshold := new(big.Float).Quo(big.NewFloat(plan.Clip), big.NewFloat(grid))
		most, _ := threshold.Mul(threshold, threshold).Int(nil)
		unit, columns := unitOf(plan), problem.Dimension()
		h := grid / unit
		for i := range min(problem.Records(), 12) {
			d := problem.Data.Select([]int{i})
			s, err := newSummer(learn.Problem{Data: d, Loss: problem.Loss}, plan)
			require.NoError(t, err)
			s.sum(theta, grid)

			row := make([]float64, columns)
			for at, j := range d.X.Row(0).Index {
				row[j] = d.X.Row(0).Value[at]
			}
			if plan.Centring != nil {
				plan.Centring.Apply(d.X.Row(0), row)
			}
			row = plainRow(unit, row...)
			length := math.Max(learntest.Length(row), 0x1p11*unit)
			var slopes []float64
			for at := 0; at < len(theta); at += columns {
				slopes = append(slopes, learntest.Dot(row, theta[at:at+columns]))
			}
			room := h / 2 * math.Sqrt(float64(len(slopes)))
			if plan.Classes > 0 {
				glm.Softmax{}.Scores(slopes, int(d.Y[0]))
			} else {
				slopes[0] = problem.Loss.Slope(slopes[0], d.Y[0])
			}
			share := math.Min(1, (plan.Clip/length-room)/learntest.Length(slopes))
			if share < 1 {
				clipped++
			}
			squares := new(big.Int)
			for k, slope := range slopes {
				part := s.total[k*columns : (k+1)*columns]
				times := math.Inf(1) // of the longest entry
				for j, x := range row {
					if math.Abs(x) == maxOf(row) {
						times = float64(part[j]) / (x / unit)
					}
				}
				require.Equal(t, math.Trunc(times), times, "a whole number of times")
				assert.InDelta(t, slope*share/h, times, 0.5+1e-9*math.Abs(times)+1e-4)
				for j, x := range row {
					require.Equal(t, times*(x/unit), float64(part[j]))
					own := big.NewInt(part[j])
					squares.Add(squares, own.Mul(own, own))
				}
			}
			require.LessOrEqual(t, squares.Cmp(most), 0, "%v: longer than %g", squares, plan.Clip)
			count++
		}
	})
	assert.Greater(t, count, 1000)
	assert.Greater(t, clipped, count/10)
	assert.Less(t, clipped, count*9/10)
}

func maxOf(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	return most
}

// No record adds more than C, exactly, where parameters are at their bounds: so long or short rows,
// so small an intercept, so far a centring, so little and so much noise as a plan can have.
func TestNoRecordAddsMoreThanCAtTheBounds(t *testing.T) {
	const tiny, huge = 0x1p-300, 0x1p300
	longest := 0.0
	for _, kappa := range []float64{0x1p-100, 0x1p-20, 0.5, 0x1p100} {
		for _, size := range []float64{tiny, 0x1p-20, 0.5, huge} {
			rows := [][]float64{{size, 0, kappa}, {-size, size / 3, kappa}, {0, 0, kappa}}
			problem := learntest.Problem(learntest.Schema(2, kappa), rows, []float64{1, -1, 1})
			for _, by := range []*learn.Centring{
				nil, {Mean: []float64{0.5, 0.25}, Scale: []float64{3, 1}},
				{Mean: []float64{0x1p100, -0x1p100}, Scale: []float64{0x1p-100, 1}},
				{Mean: []float64{size / 2, -size / 2}, Scale: []float64{0x1p100, 0x1p100}},
			} {
				if size == huge && by != nil {
					continue // no centring reaches so far
				}
				for _, loss := range append(learntest.Losses(t), glm.Softmax{}) {
					for _, clip := range []float64{tiny, 0.3, huge} {
						for _, sigma := range []float64{clip * 0x1p-12, clip, clip * 0x1p40, huge} {
							longest = math.Max(longest, longestOf(t, problem, loss, Plan{
								Clip: clip, RowNorm: math.Min(2*size+kappa, huge), Centring: by,
							}, math.Max(sigma, tiny)))
						}
					}
				}
			}
		}
	}
	assert.Greater(t, longest, 0.999)
}

// longestOf is the length of the longest of the records' gradients over C, which it asks to be at
// most 1.
func longestOf(
	t *testing.T, problem learn.Problem, loss glm.Loss, plan Plan, sigma float64,
) float64 {
	problem.Loss = loss
	if loss == glm.Loss(glm.Softmax{}) {
		problem.Data, plan.Classes = learntest.Several(problem.Data), 3
	}
	plan.Dimension = problem.Dimension() * max(1, plan.Classes)
	grid := gridOf(plan.Clip, sigma)
	most := new(big.Float).SetPrec(200).Quo(big.NewFloat(plan.Clip), big.NewFloat(grid))
	most.Mul(most, most)
	longest := 0.0
	for i := range problem.Records() {
		one := learn.Problem{Data: problem.Data.Select([]int{i}), Loss: loss}
		s, err := newSummer(one, plan)
		require.NoError(t, err)
		for _, far := range []float64{0, 1, -1, 0x1p30, learn.Farthest} {
			theta := make([]float64, plan.Dimension)
			for j := range theta {
				theta[j] = far * float64(1-2*(j%2))
			}
			s.sum(theta, grid)
			squares := new(big.Int)
			for _, k := range s.total {
				squares.Add(squares, new(big.Int).Mul(big.NewInt(k), big.NewInt(k)))
			}
			share := new(big.Float).SetPrec(200).SetInt(squares)
			share.Quo(share, most)
			require.LessOrEqual(t, share.Cmp(big.NewFloat(1)), 0, "%T %+v σ = %g", loss, plan, sigma)
			length, _ := share.Float64()
			longest = math.Max(longest, math.Sqrt(length))
		}
	}
	return longest
}

// Sums are those of the records one by one, to the last digit, over more rows than are added up in
// floats.
func TestSumsAreExact(t *testing.T) {
	const n = 2*block + 7
	source := randomtest.New(2)
	schema := learntest.Schema(3, 0.5)
	var x [][]float64
	var y []float64
	for range n {
		x = append(x, []float64{
			learntest.Uniform(source) / 2, learntest.Uniform(source) / 2, 0.5, 0.5,
		})
		y = append(y, 1)
	}
	problem := learntest.Problem(schema, x, y)
	problem.Loss = glm.Squared{}
	plan := Plan{
		Clip: 0.99, RowNorm: schema.RowNorm(), Dimension: 4,
		Centring: &learn.Centring{Mean: []float64{0.25, 0.25, 60}, Scale: []float64{2, 2, 2}},
	}
	s, err := newSummer(problem, plan)
	require.NoError(t, err)
	grid := gridOf(plan.Clip, plan.Clip)
	theta := []float64{3, -2, 0.5, 1}
	s.sum(theta, grid)
	want, largest := make([]int64, 4), int64(0)
	for i := range n {
		one, err := newSummer(
			learn.Problem{Data: problem.Data.Select([]int{i}), Loss: problem.Loss}, plan,
		)
		require.NoError(t, err)
		one.sum(theta, grid)
		for j, v := range one.total {
			want[j] += v
			largest = max(largest, v, -v)
		}
	}
	assert.Equal(t, want, s.total)
	assert.Greater(t, largest, int64(1)<<32, "as long as can be")
}

// What overflows on the way to a sum does no harm to it.
func TestSumsThatOverflowOnTheWay(t *testing.T) {
	w := &wholeRows{base: []int64{-3 << 14, 1 << 16, 1 << 15}, fixed: true}
	const times = 1 << 51 // of the row of zeros
	exact := []*big.Int{
		new(big.Int).Lsh(big.NewInt(3), 65), new(big.Int).Lsh(big.NewInt(-1), 67), big.NewInt(0),
	}
	sum := []int64{5, -7, times}
	for j := range 2 { // Σ s(k − base) is far from 0, and takes back what the row of zeros adds
		exact[j].Add(exact[j], big.NewInt(sum[j]))
		sum[j] = int64(new(big.Int).And(exact[j], new(big.Int).SetUint64(math.MaxUint64)).Uint64())
	}
	w.fold(sum)
	for j, k := range w.base {
		exact[j].Add(exact[j], new(big.Int).Mul(big.NewInt(times), big.NewInt(k)))
		assert.Equal(t, exact[j].Int64(), sum[j])
		assert.True(t, exact[j].IsInt64() || j == 2)
	}
}

// A lattice that is too coarse for any slope leaves nothing but noise.
func TestNoiseBeyondAllRecordsLeavesNoSlope(t *testing.T) {
	problem := learntest.Clinic()
	for _, loss := range []glm.Loss{glm.Logistic{}, glm.Squared{}, glm.Softmax{}} {
		problem, plan := learn.Problem{Data: problem.Data, Loss: loss}, Plan{
			Clip: 0.3, RowNorm: problem.Data.Schema.RowNorm(), Dimension: 3,
		}
		if loss == glm.Loss(glm.Softmax{}) {
			problem.Data = learntest.Several(problem.Data)
			plan.Classes, plan.Dimension = 3, 9
		}
		for sigma, some := range map[float64]bool{
			3: true, 0x1p30: true, 0x1p60: false, 0x1p299: false,
		} {
			s, err := newSummer(problem, plan)
			require.NoError(t, err)
			s.sum(make([]float64, plan.Dimension), gridOf(plan.Clip, sigma))
			squares := 0.0
			for _, k := range s.total {
				squares += float64(k) * float64(k)
			}
			assert.Equal(t, some, squares > 0, "%T, σ = %g", loss, sigma)
		}
	}
}
