package fitting

import (
	"cloister/core/random"
	"cloister/wasm/api"
)

// entropy is a source whose failure says what it is.
type entropy struct{ random.Source }

func (e entropy) Uint64() (uint64, error) {
	word, err := e.Source.Uint64()
	if err != nil {
		return 0, noEntropy(err)
	}
	return word, nil
}

func noEntropy(cause error) *api.Error {
	return &api.Error{
		Code:    api.CodeEntropy,
		Message: "This machine gave no secure random bits, so nothing was released. Close other programs, restart the browser, and try again; if that does not help, use another machine.",
		Cause:   cause,
	}
}
