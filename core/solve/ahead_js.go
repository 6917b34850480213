package solve

// ahead is nothing under js/wasm, which has one processor.
type ahead struct{}

func (*ahead) taken([]float64, Sums) []float64 { return nil }
