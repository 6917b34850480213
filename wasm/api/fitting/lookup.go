package fitting

import (
	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// Dataset reads the field "dataset" for handlers of another package: the data
// set of that number.
func (s *Session) Dataset(f *privacy.Fields) (*data.Dataset, error) { return s.dataset(f) }

// Reading is those of the session's handlers that read files, for a binary that
// does not fit.
func (s *Session) Reading() *api.Service {
	return &api.Service{
		Explain: explain,
		Handlers: map[string]api.Handler{
			"schema.check": checkSchema,
			"read.open":    s.open,
			"read.part":    s.part,
			"read.append":  s.append,
			"read.finish":  s.finish,
			"read.cancel":  s.cancel,
			"dataset.free": s.free,
		},
	}
}
