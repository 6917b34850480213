package random

// BestOf makes so many runs and returns the best of them; of equals each with the same
// probability. Use it where the best of a random number of runs is given out, as private
// selection does. Compare is above 0 if a is better than b, and 0 if they are equal. Without a run
// it returns none. Errors: those of run, and the source's.
func BestOf[Run any](
	src Source, runs int, none Run, run func() (Run, error), compare func(a, b Run) int,
) (Run, error) {
	best, equals := none, uint64(0) // runs as good as the best so far
	for k := range runs {
		next, err := run()
		if err != nil {
			return none, err
		}
		switch order := compare(next, best); {
		case k == 0 || order > 0:
			best, equals = next, 1
		case order == 0:
			equals++
			pick, err := Below(src, equals)
			if err != nil {
				return none, err
			}
			if pick == 0 {
				best = next
			}
		}
	}
	return best, nil
}
