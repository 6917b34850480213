package pate

import (
	"strconv"

	"cloister/core/privacy"
)

// Bounds of what is taken.
const (
	MostTeachers = 1 << 17
	MostClasses  = 1000
	MostCounts   = 1 << 22 // queries times classes
)

// Shape is what is public about votes.
type Shape struct{ Queries, Classes, Teachers int }

// ShapeOf checks votes, a list of the counts of all classes for each query, and returns their
// shape. An error is a *privacy.ParameterError that names the query: counts are 0 or more, and
// every query has those of the same classes, by the same number of teachers.
func ShapeOf(votes [][]int) (Shape, error) {
	if len(votes) == 0 {
		return Shape{}, &privacy.ParameterError{
			Field: "votes", Value: "empty", Want: "a list with the counts of all classes for each query",
		}
	}
	shape := Shape{Queries: len(votes), Classes: len(votes[0])}
	for i, row := range votes {
		field := "votes[" + strconv.Itoa(i) + "]"
		if len(row) != shape.Classes || len(row) < 2 {
			want := "a count for each of two classes or more"
			if i > 0 {
				want = strconv.Itoa(shape.Classes) + " counts, as of the first query"
			}
			return Shape{}, &privacy.ParameterError{
				Field: field, Value: "a list of " + strconv.Itoa(len(row)), Want: want,
			}
		}
		sum := 0
		for class, n := range row {
			if n < 0 || n > MostTeachers {
				return Shape{}, &privacy.ParameterError{
					Field: field + "[" + strconv.Itoa(class) + "]", Value: strconv.Itoa(n),
					Want: "a number of votes from 0 to 2^17",
				}
			}
			sum += n
		}
		if i == 0 {
			shape.Teachers = sum
		}
		if sum != shape.Teachers {
			return Shape{}, &privacy.ParameterError{
				Field: field, Value: strconv.Itoa(sum) + " votes",
				Want: strconv.Itoa(shape.Teachers) + " votes, as of the first query: every " +
					"teacher votes on every query",
			}
		}
	}
	return shape, shape.check()
}

func (s Shape) check() error {
	for _, c := range []struct {
		field       string
		n, from, to int
	}{
		{"queries", s.Queries, 1, MostCounts},
		{"classes", s.Classes, 2, MostClasses},
		{"teachers", s.Teachers, 1, MostTeachers},
		{"queries × classes", s.Queries * s.Classes, 1, MostCounts},
	} {
		if c.n < c.from || c.n > c.to {
			return &privacy.ParameterError{
				Field: c.field, Value: strconv.Itoa(c.n),
				Want: "from " + strconv.Itoa(c.from) + " to " + strconv.Itoa(c.to),
			}
		}
	}
	return nil
}
