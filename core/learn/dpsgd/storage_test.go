package dpsgd

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// One record flips how all are stored, and the sums over a sample still differ by
// exactly its own vector of whole numbers.
func TestSumsDifferByOneRecordThoughItFlipsTheStorage(t *testing.T) {
	sparse, dense := learntest.Flipped(t)
	last := dense.Select([]int{sparse.X.Rows()})
	source := randomtest.New(3)
	for _, loss := range []glm.Loss{glm.Logistic{}, learntest.Huber(t, 0.5), glm.Squared{}} {
		plan := Plan{
			Adjacency: privacy.AddRemove, Rate: 0.5, Batch: 2048, Steps: 1, NoiseMultiplier: 1,
			Clip:      0.4,
			Optimiser: NewSGD(1),
		}
		theta := make([]float64, sparse.X.Columns)
		for range 20 {
			var sums [3][]float64
			for k, d := range []*data.Dataset{sparse, dense, last} {
				run, err := prepare(learn.Problem{Data: d, Loss: loss}, plan)
				require.NoError(t, err)
				// as fine as leaves the sums exact, so that last bits show
				run.lattice.scale = 0x1p43
				for i := range d.X.Rows() {
					run.sample = append(run.sample, int32(i))
				}
				run.gradients(theta)
				sums[k] = run.sum
			}
			for j, sum := range sums[1] {
				assert.Equal(t, sums[0][j]+sums[2][j], sum, "%T", loss)
			}
			for j := range theta {
				theta[j] = 4*learntest.Uniform(source) - 2
			}
		}
	}
}
