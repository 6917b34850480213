package ledger

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTimes(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(
			2026, 5, 4, 10, 9, 8, 7, time.UTC,
		), time.Unix(0, 0), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(
			2024, 2, 29, 23, 59, 59, 0, time.FixedZone("x", 7200),
		), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	} {
		want := at.UTC().Truncate(time.Second)
		assert.Equal(t, want.Format(time.RFC3339), timeText(at))
		back, ok := parseTime(timeText(at))
		assert.True(t, ok)
		assert.True(t, back.Equal(want))
	}
	assert.Equal(t, "9999-12-31T23:59:59Z", timeText(time.Date(12345, 1, 1, 0, 0, 0, 0, time.UTC)))
	assert.Equal(t, "0000-01-01T00:00:00Z", timeText(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)))
	for _, text := range []string{
		"", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00+01:00",
		"2026-01-01T00:00:0xZ", "2026-01-01T00:00:60Z", "-026-01-01T00:00:00Z", "20 6-01-01T00:00:00Z",
	} {
		_, ok := parseTime(text)
		assert.False(t, ok, text)
	}
}
