package ledger

import (
	"strconv"
	"time"
)

// Times are written as in 2006-01-02T15:04:05Z, by hand: package time's own
// formats are not otherwise part of the program that pages download. A clock
// outside the years 0 to 9999 is written as the nearest second inside.

// timeText is a time as entries and files have it.
func timeText(t time.Time) string {
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	switch {
	case year < 0:
		year, month, day, hour, minute, second = 0, 1, 1, 0, 0, 0
	case year > 9999:
		year, month, day, hour, minute, second = 9999, 12, 31, 23, 59, 59
	}
	out := make([]byte, 0, 20)
	for _, part := range []struct {
		value, width int
		end          byte
	}{{year, 4, '-'}, {int(month), 2, '-'}, {day, 2, 'T'}, {hour, 2, ':'}, {minute, 2, ':'},
		{second, 2, 'Z'}} {
		digits := strconv.Itoa(part.value)
		for range part.width - len(digits) {
			out = append(out, '0')
		}
		out = append(append(out, digits...), part.end)
	}
	return string(out)
}

// parseTime is the inverse of timeText; nothing else is a time.
func parseTime(text string) (time.Time, bool) {
	if len(text) != len("2006-01-02T15:04:05Z") {
		return time.Time{}, false
	}
	var parts [6]int
	for i, at := range [6]int{0, 5, 8, 11, 14, 17} {
		width := 2
		if i == 0 {
			width = 4
		}
		for _, digit := range []byte(text[at : at+width]) {
			parts[i] = 10*parts[i] + int(digit) - '0'
		}
	}
	t := time.Date(
		parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0, time.UTC,
	)
	return t, timeText(t) == text // which it is not for other separators, letters, or a 13th month
}
