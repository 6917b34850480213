package learntest

import "cloister/core/learn"

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
