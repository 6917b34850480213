package accounting

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// maxPoints bounds the length of a curve.
const maxPoints = 10000

// readPoints reads where a curve is asked for: {from, to, points}, evenly
// spaced, or a list. It is nil if the field is absent.
func readPoints(f *privacy.Fields, name string) []float64 {
	if !f.Has(name) {
		return nil
	}
	if given, ok := f.Any(name).(map[string]any); ok {
		return readRange(f, privacy.NewFields(f.Path(name), given))
	}
	points := readList(f, name)
	for i, x := range points {
		f.Fail(privacy.CheckNonNegative(item(f, name, i), x))
	}
	return points
}

// readList reads a list of 1 to maxPoints numbers, or a bulk array of them.
func readList(f *privacy.Fields, name string) []float64 {
	var list []float64
	switch given := f.Any(name).(type) {
	case []float64:
		list = given
	case []any:
		list = make([]float64, len(given))
		for i, item := range given {
			x, ok := item.(float64)
			if !ok {
				x = math.NaN()
			}
			list[i] = x
		}
	default:
		f.Bad(name, `a list of numbers, or for a curve {"from": …, "to": …, "points": …}`)
		return nil
	}
	if len(list) < 1 || len(list) > maxPoints {
		f.Fail(
			&privacy.ParameterError{
				Field: f.Path(name),
				Value: "a list of " + strconv.Itoa(len(list)),
				Want:  "a list of 1 to " + strconv.Itoa(maxPoints) + " numbers",
			},
		)
	}
	return list
}

func readRange(f, inner *privacy.Fields) []float64 {
	from, to, count := inner.Number("from"), inner.Number("to"), inner.Int("points")
	inner.Fail(privacy.CheckNonNegative(inner.Path("from"), from))
	inner.Fail(privacy.CheckNonNegative(inner.Path("to"), to))
	if to <= from {
		inner.Bad("to", "above from")
	}
	if count < 2 || count > maxPoints {
		inner.Bad("points", "a whole number from 2 to "+strconv.Itoa(maxPoints))
	}
	if err := inner.Done(); err != nil {
		f.Fail(err)
		return nil
	}
	points := make([]float64, count)
	for i := range points {
		t := float64(i) / float64(count-1)
		points[i] = from*(1-t) + to*t
	}
	return points
}

// item is the name that errors give to one item of a list.
func item(f *privacy.Fields, name string, i int) string {
	return f.Path(name) + "[" + strconv.Itoa(i) + "]"
}
