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
	"cloister/core/random/randomtest"
)

// One record flips how all are stored, and the sums still differ by exactly its
// own rounded gradient: no other record's moves by a step of the lattice.
func TestSumsDifferByOneRecordThoughItFlipsTheStorage(t *testing.T) {
	sparse, dense := learntest.Flipped(t)
	last := dense.Select([]int{sparse.X.Rows()})
	source := randomtest.New(3)
	for _, loss := range []glm.Loss{
		glm.Logistic{}, learntest.Huber(t, 0.5), glm.Squared{}, glm.Softmax{},
	} {
		for _, clip := range []float64{0.05, 0.4, 2} {
			grid := gridOf(clip, clip)
			theta, classes := make([]float64, sparse.X.Columns), 0
			forms := []*data.Dataset{sparse, dense, last}
			if loss == glm.Loss(glm.Softmax{}) {
				theta, classes = make([]float64, 3*sparse.X.Columns), 3
				for k, d := range forms {
					forms[k] = learntest.Several(d)
				}
				forms[2].Y[0] = forms[1].Y[sparse.X.Rows()]
			}
			for try := range 8 {
				var centring *learn.Centring
				if try%2 == 1 {
					centring = learn.PublicCentring(sparse.Schema)
					require.NotNil(t, centring)
				}
				var totals [3][]int64
				for k, d := range forms {
					s, err := newSummer(learn.Problem{Data: d, Loss: loss}, Plan{
						Clip: clip, RowNorm: d.Schema.RowNorm(), Centring: centring,
						Classes: classes,
					})
					require.NoError(t, err)
					s.sum(theta, grid)
					totals[k] = s.total
				}
				for j, total := range totals[1] {
					assert.Equal(t, totals[0][j]+totals[2][j], total, "%T, clip %g", loss, clip)
				}
				for j := range theta {
					theta[j] = 4*learntest.Uniform(source) - 2
				}
			}
		}
	}
}

// The same of each record alone, in both forms: the norm that clips, the margin,
// and the rounded gradient are the same floats.
func TestGradientsDoNotDependOnTheStorage(t *testing.T) {
	_, dense := learntest.Flipped(t)
	tiny := learntest.Problem(
		learntest.Schema(3, 0), [][]float64{{1e-160, 0, 5e-324}, {0, 0x1p-500, 0}, {0, 0, 0}},
		[]float64{1, -1, 1},
	).Data
	for _, d := range []*data.Dataset{dense, tiny} {
		forms := []*data.Dataset{learntest.Sparse(d), learntest.Dense(d)}
		source := randomtest.New(4)
		theta := make([]float64, d.X.Columns)
		for j := range theta {
			theta[j] = 4*learntest.Uniform(source) - 2
		}
		for _, loss := range []glm.Loss{glm.Logistic{}, learntest.Huber(t, 0.5), glm.Squared{}} {
			var norms [2][]float64
			for k, form := range forms {
				rows, err := learn.Problem{Data: form, Loss: loss}.Rows(1e-9, d.Schema.RowNorm())
				require.NoError(t, err)
				norms[k] = rows.Norm
			}
			require.Len(t, norms[0], d.X.Rows())
			assert.Equal(t, norms[0], norms[1])
			for i := range d.X.Rows() {
				a, b := forms[0].X.Row(i).Dot(theta), forms[1].X.Row(i).Dot(theta)
				require.Equal(t, math.Float64bits(a), math.Float64bits(b))
			}
		}
	}
}
