package data

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		kind numberKind
	}{
		{"0", isNumber}, {"-0", isNumber}, {"+5", isNumber}, {"5.", isNumber}, {".5", isNumber}, {"1e5", isNumber}, {"1E-5", isNumber}, {"1.5e+3", isNumber},
		{"9007199254740992", isNumber}, {"9007199254740993", isNumber}, {"1e22", isNumber}, {"1e23", isNumber}, {"1e-400", isNumber}, {"5e-324", isNumber},
		{"123456789012345678901234567890", isNumber}, {"0.1000000000000000055511151231257827021181583404541015625", isNumber},
		{"1.7976931348623157e308", isNumber}, {strings.Repeat("0", 500) + "1", isNumber}, {"0." + strings.Repeat("0", 500) + "1e500", isNumber},
		{"", isText}, {".", isText}, {"-", isText}, {"+", isText}, {"e5", isText}, {"1e", isText}, {"1e+", isText}, {"--1", isText}, {"1.2.3", isText},
		{"1,5", isText}, {"0x10", isText}, {"1_000", isText}, {"1 000", isText}, {"12a", isText}, {"1e5.0", isText}, {"٣", isText}, {"+-inf", isText}, {"nano", isText},
		{"nan", isNotFinite}, {"NaN", isNotFinite}, {"-nan", isNotFinite}, {"Inf", isNotFinite}, {"+inf", isNotFinite}, {"-Infinity", isNotFinite}, {"INFINITY", isNotFinite},
		{"1e400", isTooLarge}, {"-1e400", isTooLarge}, {"1e999999999999999999999", isTooLarge}, {"1.8e308", isTooLarge},
	} {
		x, kind := parseNumber([]byte(c.text))
		require.Equal(t, c.kind, kind, c.text)
		if kind == isNumber {
			require.Equal(t, math.Float64bits(parseFloat(t, c.text)), math.Float64bits(x), c.text)
		}
	}
}

func parseFloat(t testing.TB, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return x
}

// The short way gives the double that ParseFloat gives, bit for bit.
func TestParseNumberAgainstParseFloat(t *testing.T) {
	var s sequence
	for range 20000 {
		digits := strconv.FormatUint(s.next()>>s.below(64), 10)
		if at := s.below(len(digits) + 1); s.below(3) > 0 {
			digits = digits[:at] + "." + digits[at:]
		}
		if s.below(3) == 0 {
			digits += "e" + strconv.Itoa(s.below(60)-30)
		}
		if s.below(4) == 0 {
			digits = "-" + digits
		}
		x, kind := parseNumber([]byte(digits))
		require.Equal(t, isNumber, kind, digits)
		require.Equal(t, math.Float64bits(parseFloat(t, digits)), math.Float64bits(x), digits)
	}
}

func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0", "-1.5e3", "9007199254740993", "1e23", "nan", "+NaN", "1e400", "0x1p3", "1_0", ".", "-.5E+07"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, kind := parseNumber([]byte(text))
		theirs, err := strconv.ParseFloat(text, 64)
		switch kind {
		case isNumber:
			require.NoError(t, err)
			require.Equal(t, math.Float64bits(theirs), math.Float64bits(x))
		case isTooLarge:
			require.ErrorIs(t, err, strconv.ErrRange)
		case isNotFinite:
			// Theirs has no sign before NaN.
			signed := strings.EqualFold(text, "+nan") || strings.EqualFold(text, "-nan")
			require.Equal(t, signed, err != nil)
			require.True(t, signed || !finite(theirs))
		default:
			// Theirs reads hexadecimal and underscores as well.
			require.True(t, err != nil || strings.ContainsAny(text, "xX_"), text)
		}
	})
}
