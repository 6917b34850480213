package fitting

import (
	"cloister/core/data"
	"cloister/core/privacy"
)

// Dataset reads the field "dataset" for handlers of another package: the data
// set of that number.
func (s *Session) Dataset(f *privacy.Fields) (*data.Dataset, error) { return s.dataset(f) }
