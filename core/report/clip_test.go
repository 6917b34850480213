package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A release may be priced for longer gradients than its fit has. The loss that a
// record is bounded by is that of the fit: with a released gradient that meets it, the
// bound is no less than what the record's own slope comes to, which the slopes of a
// loss clipped elsewhere leave out.
func TestABoundIsOfTheLossThatWasFitted(t *testing.T) {
	release, _, problem := reportOf(t, Plan{})
	priced, err := MechanismOf(release)
	require.NoError(t, err)
	release.Model.Clip /= 16
	finding, failed := release.Verify().Failed()
	require.False(t, failed, finding.Text)
	m, err := MechanismOf(release)
	require.NoError(t, err)
	assert.Equal(t, release.Model.Clip, m.lipschitz())
	assert.Equal(t, 16*m.lipschitz(), priced.lipschitz())

	// The slope s and bᵀx = t at which f′ = s is the record's best hiding place for the
	// priced loss, and the loss of the fit is (s²‖x‖²/2 + st)/σ² at its own.
	row, y := problem.Data.X.Row(0), problem.Data.Y[0]
	length := norm2(row)
	_, slope, _ := m.Loss.Row(length).At(row.Dot(m.Theta), y)
	steep := 0.0
	if _, steep, _ = priced.Loss.Row(length).At(row.Dot(m.Theta), y); math.Abs(
		steep,
	) < 1.5*math.Abs(slope) {
		t.Fatal("the record is not clipped")
	}
	const two = 0x1p-20 // next to no noise: t is known
	along := -slope * length * length
	gradient := make([]float64, len(m.Theta))
	for k, j := range row.Index {
		gradient[j] = gridOf(two) * math.Round(-along/(length*length)*row.Value[k]/gridOf(two))
	}
	r, err := NewReader(
		m, Published{Plan: Plan{Gradient: two}, Gradient: gradient}, 0.01, Scope{People: 1},
	)
	require.NoError(t, err)
	b, err := r.Row(row, y)
	require.NoError(t, err)
	least := slope*slope*length*length/2 + slope*along
	assert.LessOrEqual(t, b.In.Low, least/(m.Sigma*m.Sigma))
	assert.GreaterOrEqual(t, b.Surprise, -least/(m.Sigma*m.Sigma))
}
