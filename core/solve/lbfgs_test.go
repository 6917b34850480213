package solve_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"cloister/core/solve"
	"cloister/core/solve/lbfgs"
)

func init() { solve.Solvers["L-BFGS"] = lbfgs.Solve }

func TestSolversAreAllThere(t *testing.T) {
	assert.Len(t, solve.Solvers, 3)
}
