package crosscheck_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/crosscheck"
	"cloister/core/account/pld"
	"cloister/core/privacy/privacytest"
)

func TestEveryEventIsCrossChecked(t *testing.T) {
	for _, event := range privacytest.Events() {
		report, err := crosscheck.Epsilon(account.Of, event, 1e-3, pld.Options{})
		require.NoError(t, err, event.Mechanism())
		assert.True(
			t, report.Closed != nil || report.Renyi != nil || report.Upper != nil,
			event.Mechanism(),
		)
	}
}
