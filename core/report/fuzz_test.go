package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is read is written and read again as the same; nothing panics.
func FuzzParse(f *testing.F) {
	release, adaptive, problem := reportOf(f, Plan{Gradient: 2, Hessian: 0.3, Least: 0.5})
	_, free, _ := reportOf(f, Plan{})
	_, scored, _ := reportOf(f, Plan{Gradient: 2, Hessian: 0.3, Scores: 0.4, Rest: true})
	for _, r := range []*Report{adaptive, free, scored} {
		text, err := r.Marshal(release)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse(text, release)
		if err != nil {
			return
		}
		written, err := r.Marshal(release)
		require.NoError(t, err)
		again, err := Parse(written, release)
		require.NoError(t, err)
		require.Equal(t, r, again)
		reader, err := Open(release, r)
		require.NoError(t, err)
		b, err := reader.Row(problem.Data.X.Row(0), problem.Data.Y[0])
		require.NoError(t, err)
		require.False(t, b.Largest() != b.Largest(), "NaN")
	})
}
