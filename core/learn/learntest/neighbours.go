package learntest

import (
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Neighbours are the problem without its first record and with that record once
// more; none if it has no record.
func Neighbours(problem learn.Problem) []learn.Problem {
	n := problem.Data.X.Rows()
	if n == 0 {
		return nil
	}
	rows := make([]int, n, n+1)
	for i := range rows {
		rows[i] = i
	}
	rest, twice := problem, problem
	rest.Data, twice.Data = problem.Data.Select(rows[1:]), problem.Data.Select(append(rows, 0))
	return []learn.Problem{rest, twice}
}

// MostChanged is the most that changes in counts if one record is added to a file, or takes
// another's place: of gives the counts of the file with a record of two values, base those of the
// file without it.
func MostChanged[C any](
	values []string, base C, of func(a, b string) C, changes func(a, b C) int,
) map[privacy.Adjacency]int {
	most := map[privacy.Adjacency]int{}
	for _, a := range values {
		for _, b := range values {
			one := of(a, b)
			most[privacy.AddRemove] = max(most[privacy.AddRemove], changes(one, base))
			for _, c := range values {
				most[privacy.ReplaceOne] = max(most[privacy.ReplaceOne], changes(one, of(c, a)))
			}
		}
	}
	return most
}
