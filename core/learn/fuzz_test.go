package learn_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/learn"
)

// FuzzRelease: a text that is read as a release can be written and read again,
// and says of itself what it can say without being priced.
func FuzzRelease(f *testing.F) {
	for _, k := range kinds()[:3] { // calibrated in closed form
		text, err := json.Marshal(k.release(f))
		require.NoError(f, err)
		f.Add(text)
		f.Add(bytes.Replace(text, []byte(`"version":2`), []byte(`"version":1`), 1))
	}
	f.Add([]byte(`{"format":"cloister-release","version":2,"model":{"classes":[{}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		release, err := learn.ParseRelease(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		written, err := json.Marshal(release)
		require.NoError(t, err)
		again, err := learn.ParseRelease(written)
		require.NoError(t, err)
		require.Equal(t, release, again)
		if release.Assessment == nil {
			return
		}
		if _, failed := release.VerifyAssessment().Failed(); !failed {
			release.Assessment.Figures(release.Model)
		}
	})
}
