package privacy

// Guarantee is (ε, δ)-differential privacy under an adjacency: for neighbours
// Z, Z' and every set S of outputs, Pr[M(Z) ∈ S] ≤ e^ε Pr[M(Z') ∈ S] + δ, in
// both directions. Epsilon is in nats.
type Guarantee struct {
	Epsilon   float64
	Delta     float64
	Adjacency Adjacency
}

// Validate checks ε finite and > 0, δ from [LeastProbability] to below 1 and the adjacency.
func (g Guarantee) Validate() error {
	if err := CheckEpsilon(g.Epsilon); err != nil {
		return err
	}
	if err := CheckDelta(g.Delta); err != nil {
		return err
	}
	return CheckAdjacency(g.Adjacency)
}
