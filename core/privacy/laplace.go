package privacy

// Laplace is the Laplace mechanism: a vector of L1 sensitivity Sensitivity is
// released with independent noise of density e^{−|x|/Scale}/(2·Scale) added to
// each coordinate. Both are in the vector's units, and lie from 1e-50 to 1e50. It is
// Sensitivity/Scale-DP; a change concentrated on one coordinate is the worst.
type Laplace struct {
	Adjacency   Adjacency
	Sensitivity float64
	Scale       float64 // b; the standard deviation is √2·b
}

func (Laplace) Mechanism() string       { return "laplace" }
func (e Laplace) Neighbours() Adjacency { return e.Adjacency }

// Validate checks that Sensitivity and Scale lie from [LeastScale] to
// [LargestScale], and the adjacency.
func (e Laplace) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkScale("sensitivity", e.Sensitivity),
		checkScale("scale", e.Scale),
	)
}

func decodeLaplace(f *Fields) Event {
	return Laplace{
		Adjacency:   f.Adjacency(),
		Sensitivity: f.Number("sensitivity"),
		Scale:       f.Number("scale"),
	}
}

func (e Laplace) encode(tree map[string]any) {
	tree["sensitivity"] = e.Sensitivity
	tree["scale"] = e.Scale
}
