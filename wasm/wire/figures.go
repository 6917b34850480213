package wire

// How a model does on rows, without noise. Never publish any of it: not one of these numbers was
// paid for.
type ExactFigures[L AnyLabel] And[ExactRows, ByLabel[L, ExactTwo, ExactSeveral, ExactNumbers]]

// Of how many rows the figures are.
type ExactRows struct {
	Rows float64 `json:"rows"`
}

// Figures of any label with classes.
type ExactClasses struct {
	// Share of the rows that the released model puts in their class.
	Accuracy float64 `json:"accuracy"`
	// Share of the largest class: what a constant answer achieves.
	Baseline float64 `json:"baseline"`
}

// Figures of two classes.
type ExactTwo struct {
	ExactClasses

	// Mean of −log of the probability of each row's own class, nats. The Huber loss has none.
	LogLoss float64 `json:"logLoss,omitempty" ts:"required"`
	// Rows of each class, by the class that the model gives them.
	Confusion struct {
		TruePositive  float64 `json:"truePositive"`
		FalsePositive float64 `json:"falsePositive"`
		TrueNegative  float64 `json:"trueNegative"`
		FalseNegative float64 `json:"falseNegative"`
	} `json:"confusion"`
}

// Figures of several classes.
type ExactSeveral struct {
	ExactClasses

	LogLoss float64 `json:"logLoss,omitempty"`
	// The same: a row a class, a column a class predicted, in the schema's order.
	Matrix [][]float64 `json:"matrix"`
}

// Figures of a numeric label.
type ExactNumbers struct {
	// In squared units of the label.
	MeanSquaredError float64 `json:"meanSquaredError"`
	// Missing where all rows have one value.
	RSquared float64 `json:"rSquared,omitempty"`
}

// An estimate and a range that covers, with probability `level` over the noise, the figure of these
// very rows.
type Interval struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// What an evaluation says. May be published: it follows from the release.
type Figures struct {
	Level     float64   `json:"level"`
	Epsilon   float64   `json:"epsilon"`
	Adjacency Adjacency `json:"adjacency"`
	Records   Interval  `json:"records"`
	// Share of the records whose class is predicted.
	Accuracy Interval `json:"accuracy,omitempty"`
	// Mean, nats, each record's cut off at `lossBound`.
	LogLoss          Interval `json:"logLoss,omitempty"`
	MeanSquaredError Interval `json:"meanSquaredError,omitempty"`
	RSquared         Interval `json:"rSquared,omitempty"`
	// By what is predicted, from `low` to `high`: the probability of the positive class, of the
	// likeliest, or the value; and the share of the positive class, of those right, or the mean of
	// the label.
	Table []struct {
		Low     float64  `json:"low"`
		High    float64  `json:"high"`
		Records Interval `json:"records"`
		Outcome Interval `json:"outcome"`
	} `json:"table"`
}

// What a model says of a row.
type Prediction[L AnyLabel] ByLabel[L, TwoClassPrediction, ClassesPrediction, NumericPrediction]

// Of a label of several classes; lists are in the schema's order.
type ClassesPrediction struct {
	// xᵀθ of each class against the rest.
	Margins []float64 `json:"margins"`
	// Missing for the Huber loss.
	Probabilities []float64 `json:"probabilities,omitempty"`
	// Name of the class with the largest margin.
	Label string `json:"label"`
	Notes []struct {
		Feature string `json:"feature"`
		Text    string `json:"text"`
	} `json:"notes"`
}

// Of a numeric label.
type NumericPrediction struct {
	Margin float64 `json:"margin"`
	// In the label's units, within its bounds.
	Value float64 `json:"value"`
	Notes []struct {
		Feature string `json:"feature"`
		Text    string `json:"text"`
	} `json:"notes"`
}

type TwoClassPrediction struct {
	// Of the positive class. Missing for the Huber loss.
	Probability float64 `json:"probability,omitempty" ts:"required"`
	// xᵀθ.
	Margin float64 `json:"margin"`
	// The schema's first spelling of the class that is more likely.
	Label    string `json:"label"`
	Positive bool   `json:"positive"`
	// Fields that were not used as they stood: outside the bounds, missing, unknown.
	Notes []struct {
		Feature string `json:"feature"`
		Text    string `json:"text"`
	} `json:"notes"`
}

// How a model is evaluated; all of it must be public.
type EvaluationRequest struct {
	Adjacency Adjacency `json:"adjacency"`
	// Of the evaluation alone, for the held-out file; its δ is 0.
	Epsilon float64 `json:"epsilon"`
	// Of the calibration table: even for two classes. Default 10, for numbers 5.
	Bins float64 `json:"bins,omitempty"`
	// Nats, at which each row's log loss is cut off. Default 4.
	LossBound float64 `json:"lossBound,omitempty"`
}
