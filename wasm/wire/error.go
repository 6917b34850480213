package wire

import "cloister/wasm/api"

// Why a call failed, for programs. The message beside it is for people. After every one of them the
// client can be used again.
type ErrorCode = api.Code

// Where an error is, as far as is known.
type ErrorPlace struct {
	// The parameter, or the path in a document: `epsilon`, `features[2].min`.
	Field string `json:"field,omitempty"`
	// The line of the file, counted from 1, the header being line 1.
	Row float64 `json:"row,omitempty"`
	// The column's name in the file.
	Column string `json:"column,omitempty"`
	// With `header`: the fields of the line. With `data`, where no column to predict was found:
	// the names of the columns, to choose from. For the holder of the file alone, and not in the
	// message.
	Line []string `json:"line,omitempty" ts:"readonly"`
	// The charge that stands though nothing was released, by its ID; `unknown` if the worker ended
	// before it could say whether it was stored.
	Charged string `json:"charged,omitempty"`
}
