package kernel

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/learntest"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
)

// From the same noise, a fit with the kernel releases what one by Go's loops does, to the last bit,
// and has the same certificates: by every method, with every loss, sparse and dense. Methods that
// need no kernel, and the softmax of several classes, go by Go's loops either way.
func TestReleases(t *testing.T) {
	fits := 0
	for _, m := range methods.All() {
		for name, problem := range problems(t) {
			fit, err := choose(m, problem)
			if err != nil { // the method is not for such a label or loss
				var wrong *privacy.ParameterError
				require.ErrorAs(t, err, &wrong, "%s, %s", m.Name, name)
				continue
			}
			name = m.Name + ", " + name
			solve.UseKernel(nil)
			byGo := releaseOf(t, fit, problem, name)
			if Use() {
				assert.Equal(t, byGo, releaseOf(t, fit, problem, name), name)
			}
			fits++
		}
	}
	assert.Greater(t, fits, 50)
}

// A fit whose noise is given releases the same natively, where it is by Go's loops, and in
// WebAssembly with the kernel. Each prints what it releases; scripts/kernel/releases.test.mjs
// compares. (How much noise a guarantee needs is not the same to the last bit: there the
// exponential and other functions of Go's package math are the platform's own. So they are in the
// softmax of several classes, which the kernel does not take.)
func TestReleasesOfGivenNoise(t *testing.T) {
	Use()
	all := problems(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		problem := all[name]
		chosen, err := choose(amp.Learner, problem)
		event, one := chosen.Event.(privacy.ApproximateMinima)
		if err != nil || !one || event.Objective.Loss == privacy.LossSoftmax {
			continue
		}
		for _, x := range []*float64{
			&event.Objective.Lambda, &event.Objective.Sigma, &event.Tau, &event.SigmaOut,
		} {
			*x = float64(float32(*x)) // the same on every platform
		}
		for _, clip := range []float64{1, 0.25} {
			event.Objective.Lipschitz *= clip
			model, diagnostics, err := amp.Fit(
				t.Context(), problem, event, randomtest.New(1), nil,
			)
			require.NoError(t, err, name)
			text, err := json.Marshal([]any{model.Coefficients, diagnostics.Certificate})
			require.NoError(t, err)
			fmt.Printf("released: %s, clipped at %v: %s\n", name, event.Objective.Lipschitz, text)
		}
	}
}

func choose(m learn.Method, problem learn.Problem) (learn.Chosen, error) {
	return methods.Choose(m.Name, learn.Asked{
		Schema:    problem.Data.Schema,
		Loss:      problem.Loss,
		Guarantee: guaranteeOf(m.Adjacencies[0]),
		Records:   300,
	})
}

func guaranteeOf(adjacency privacy.Adjacency) privacy.Guarantee {
	return privacy.Guarantee{Adjacency: adjacency, Epsilon: 2, Delta: 1e-5}
}

// losses are those that the kernel takes: all but a softmax.
func losses(t testing.TB) []glm.Loss {
	return slices.Concat(learntest.Losses(t), learntest.Shifted(t), []glm.Loss{
		learntest.Weighted(t, 10), learntest.Weighted(t, 0.3),
	})
}

// problems are the clinic's 300 records with each loss and label, stored sparsely and densely.
func problems(t *testing.T) map[string]learn.Problem {
	out := map[string]learn.Problem{}
	for _, loss := range append(losses(t), glm.Softmax{}) {
		problem := learntest.Clinic()
		problem.Loss = loss
		sets := map[string]learn.Problem{"classes": problem}
		problem.Data = learntest.Numeric(problem.Data, -1, 1)
		sets["numbers"] = problem
		problem.Data = learntest.Several(learntest.Clinic().Data)
		sets["several classes"] = problem
		for label, p := range sets {
			name := learn.LossName(loss) + " of " + label
			out[name+", sparse"] = p
			p.Data = learntest.Dense(p.Data)
			out[name+", dense"] = p
		}
	}
	return out
}

// releaseOf is the text of the release, and what was certified of each vector.
func releaseOf(
	t *testing.T, fit learn.Chosen, problem learn.Problem, name string,
) (released []any) {
	t.Helper()
	model, diagnostics, err := fit.Fit(t.Context(), problem, randomtest.New(1), learn.Watch{})
	require.NoError(t, err, name)
	r, err := learn.NewRelease(
		fit.Event, guaranteeOf(fit.Event.Neighbours()), fit.Bound, model,
	)
	require.NoError(t, err, name)
	text, err := r.MarshalJSON()
	require.NoError(t, err, name)
	released = append(released, string(text))
	for _, d := range diagnostics {
		released = append(released, d.Certificate)
	}
	return released
}
