package privacy

// decoderOf returns how the fields of a mechanism's event are read, nil for an
// unknown mechanism. One line a mechanism.
func decoderOf(mechanism string) func(*Fields) Event {
	switch mechanism {
	case "gaussian":
		return decodeGaussian
	case "laplace":
		return decodeLaplace
	case "discrete-gaussian":
		return decodeDiscreteGaussian
	case "discrete-laplace":
		return decodeDiscreteLaplace
	case "randomised-response":
		return decodeRandomisedResponse
	case "pure-dp":
		return decodePureDP
	case "approximate-dp":
		return decodeApproximateDP
	case "zcdp":
		return decodeZeroConcentrated
	case "objective-perturbation":
		return decodeObjective
	case "approximate-minima-perturbation":
		return decodeMinima
	case "subsampled-gaussian":
		return decodeSubsampledGaussian
	case "gradient-descent":
		return decodeGradientDescent
	case "noisy-min":
		return decodeNoisyMin
	case "proximal-centre":
		return decodeProximalCentre
	case "renyi-dp":
		return decodeRenyiDP
	case "propose-test-release":
		return decodeProposeTestRelease
	case "composition":
		return decodeComposition
	case "one-of":
		return decodeOneOf
	case "negative-binomial-selection":
		return decodeNegativeBinomialSelection
	case "poisson-selection":
		return decodePoissonSelection
	case "liu-talwar-selection":
		return decodeLiuTalwarSelection
	}
	return nil
}

// DecodeEvent reads an event from a plain tree, whose fields have the ranges that
// the events and range.go state, such as
//
//	{"mechanism": "gaussian", "adjacency": "add-remove", "sensitivity": 1, "sigma": 2}
//
// It returns a *ParameterError for an unknown mechanism, a missing or extra
// field, or a value out of range; path prefixes the field in the message.
func DecodeEvent(path string, tree any) (Event, error) {
	f := NewFields(path, tree)
	mechanism := f.Text("mechanism")
	decode := decoderOf(mechanism)
	if decode == nil {
		f.Bad("mechanism", "the name of a mechanism that this library prices")
		return nil, f.err
	}
	event := decode(f)
	if err := f.Done(); err != nil {
		return nil, err
	}
	if err := event.Validate(); err != nil {
		if path != "" {
			err = Within(path, err)
		}
		return nil, err
	}
	return event, nil
}

// EncodeEvent is the inverse of DecodeEvent: a tree of map[string]any,
// []any, float64, string and bool.
func EncodeEvent(event Event) map[string]any {
	tree := map[string]any{
		"mechanism": event.Mechanism(),
		"adjacency": event.Neighbours().String(),
	}
	event.encode(tree)
	return tree
}

func decodeGaussian(f *Fields) Event {
	return Gaussian{
		Adjacency:   f.Adjacency(),
		Sensitivity: f.Number("sensitivity"),
		Sigma:       f.Number("sigma"),
	}
}

func (e Gaussian) encode(tree map[string]any) {
	tree["sensitivity"] = e.Sensitivity
	tree["sigma"] = e.Sigma
}

func decodeObjective(f *Fields) Event { return readObjective(f) }

func readObjective(f *Fields) ObjectivePerturbation {
	return ObjectivePerturbation{
		Adjacency:  f.Adjacency(),
		Loss:       LossClass(f.Text("loss")),
		RowNorm:    f.NumberOr("row_norm", 0),
		Lipschitz:  f.Number("lipschitz"),
		Smoothness: f.Number("smoothness"),
		Lambda:     f.Number("lambda"),
		Sigma:      f.Number("sigma"),
		Dimension:  f.IntOr("dimension", 0),
		Classes:    f.IntOr("classes", 0),
	}
}

func (e ObjectivePerturbation) encode(tree map[string]any) {
	tree["loss"] = string(e.Loss)
	tree["row_norm"] = e.RowNorm
	tree["lipschitz"] = e.Lipschitz
	tree["smoothness"] = e.Smoothness
	tree["lambda"] = e.Lambda
	tree["sigma"] = e.Sigma
	tree["dimension"] = float64(e.Dimension)
	if e.Classes != 0 {
		tree["classes"] = float64(e.Classes)
	}
}

// The fields of an approximate-minima event are those of its objective and its
// own, side by side: a reader of a release sees one flat list of parameters.
func decodeMinima(f *Fields) Event {
	return ApproximateMinima{
		Objective: readObjective(f),
		Tau:       f.Number("tau"),
		SigmaOut:  f.Number("sigma_out"),
		Grid:      f.NumberOr("grid", 0),
	}
}

func (e ApproximateMinima) encode(tree map[string]any) {
	e.Objective.encode(tree)
	tree["tau"] = e.Tau
	tree["sigma_out"] = e.SigmaOut
	tree["grid"] = e.Grid
}
