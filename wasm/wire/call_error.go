package wire

// An error as a worker tells of it.
type WireError struct {
	ErrorPlace

	Code    ErrorCode `json:"code"`
	Message string    `json:"message"`
	// The instance must be replaced.
	Broken bool `json:"broken,omitempty"`
}
