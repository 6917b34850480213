package lab

import (
	"cloister/core/data"
	"cloister/core/lab/seeded"
)

// split deals the records out by a seeded shuffle: four fifths to train on, the
// rest to test on.
func split(d *data.Dataset, s *seeded.Stream) (train, test *data.Dataset) {
	order := s.Shuffled(d.X.Rows())
	cut := len(order) * 4 / 5
	return d.Select(order[:cut]), d.Select(order[cut:])
}
