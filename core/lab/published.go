package lab

// Published is a number that a paper prints.
type Published struct {
	Set, Method string
	Epsilon     float64
	Accuracy    float64 // part of the test records
	Where       string
}

// PublishedAccuracies are Tables 1 and 2 of Redberg, Koskela & Wang 2023
// ("Improving the Privacy and Practicality of Objective Perturbation for
// Differentially Private Linear Learners", §5), under the methods here that are
// set up as theirs. Synthetic-L is not the same file as theirs.
func PublishedAccuracies() []Published {
	const adult, synthetic = "Redberg, Koskela & Wang 2023, Table 2", "Redberg, Koskela & Wang 2023, Table 1"
	var out []Published
	for _, t := range []struct {
		set, where, method string
		tenth, unit, eight float64
	}{
		{"adult", adult, "amp-paper", 0.8137, 0.8318, 0.8399},
		{"adult", adult, "dpsgd-honest", 0.7832, 0.8240, 0.8366},
		{"adult", adult, "dpsgd-dishonest", 0.8161, 0.8354, 0.8419},
		{"synthetic-l", synthetic, "amp-paper", 0.9005, 0.9450, 0.9530},
		{"synthetic-l", synthetic, "dpsgd-honest", 0.7734, 0.9315, 0.9517},
		{"synthetic-l", synthetic, "dpsgd-dishonest", 0.9385, 0.9525, 0.9543},
	} {
		out = append(out,
			Published{t.set, t.method, 0.1, t.tenth, t.where},
			Published{t.set, t.method, 1, t.unit, t.where},
			Published{t.set, t.method, 8, t.eight, t.where},
		)
	}
	return out
}
