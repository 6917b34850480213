// Accuracy measures how well private fits with the library's defaults predict. It prints a table
// of the mean test accuracy over seeded 80/20 splits of public data sets, at several ε and δ =
// 1e-5. For a numeric label it is the share of the variance explained, 1 − mean squared
// error/variance.
//
//	go run ./scripts/accuracy
//	go run ./scripts/accuracy -data adult -splits 100 -kappa 0.25
//	go run ./scripts/accuracy -data adult,breast_cancer,wide -loss huber
//	go run ./scripts/accuracy -data adult-age,tumour-radius,numbers -loss squared
//	go run ./scripts/accuracy -data clouds,iris,more/wine -loss softmax
//	go run ./scripts/accuracy -data numbers-300,more/body_weight -loss squared -method suffstats
//	go run ./scripts/accuracy -data adult -preset paper -norm unit -kappa 1
//	go run ./scripts/accuracy -expected    the table of site/docs/choosing.md, of made-up records
//
// The splits are seeded; the noise is not, it is the mechanism's own. Each
// figure comes with the standard error of its mean over splits and noise.
// The data sets are looked for in ../shared/data, or $CLOISTER_DATA.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/learn/selection"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/scripts/tables"
)

type settings struct {
	splits, repeats             int
	delta                       float64
	norm                        string
	kappa, clip, lambda, radius float64
	bound, preset, method       string
	loss                        glm.Loss
	weight                      string
	figures                     []string
}

func main() {
	var s settings
	names := flag.String("data", "adult,breast_cancer,synthetic", "data sets, comma-separated")
	epsilons := flag.String("epsilon", "0.1,1,8", "values of ε, comma-separated")
	flag.IntVar(&s.splits, "splits", 10, "80/20 splits, seeded 1, 2, …")
	flag.IntVar(&s.repeats, "repeats", 1, "fits on each split, with noise of their own")
	flag.Float64Var(&s.delta, "delta", 1e-5, "δ")
	flag.StringVar(&s.norm, "norm", "", `"clip", "unit" or "scale"; the schema's own if empty`)
	flag.Float64Var(&s.kappa, "kappa", -1, "intercept κ; the schema's own if negative")
	flag.Float64Var(&s.clip, "clip", 0, "clipping threshold in units of R; 0: the default")
	flag.Float64Var(
		&s.lambda, "lambda", 0,
		"k of λ = R²/(ε + k·R²/(2σ²)), σ the Gaussian mechanism's for sensitivity R, or of "+
			"k·R²K/(ε(K−1)) for the softmax of K classes; 0: the default",
	)
	flag.Float64Var(
		&s.radius, "radius", 0,
		"guess of the norm of the coefficients in units of 1/R; 0: the default",
	)
	flag.StringVar(&s.bound, "bound", "auto", "bound that prices the fit")
	flag.StringVar(
		&s.preset,
		"preset",
		"",
		`"paper": the mechanism of Redberg et al. 2023, whatever else is said`,
	)
	flag.StringVar(&s.method, "method", methods.Default, "the method, by name; \"usual\" for "+
		"the one that is taken where none is named; \"choose-lambda\" or \"choose-method\" for "+
		"a private choice of λ or of the method, among its usual candidates")
	loss := flag.String("loss", learn.LogisticLoss, `"logistic", "huber", "squared" or "softmax"`)
	width := flag.Float64("width", learn.DefaultHuberWidth, "the loss's own number")
	flag.StringVar(&s.weight, "weight", "", "what a positive record counts as, with the loss "+
		`weighted-logistic; "balance": the ratio of the classes, to one digit`)
	figures := flag.String("figures", "accuracy", `comma-separated, or "balanced" (the mean of the `+
		`shares of either class that are found), "moved" (the same, where a class is named from its `+
		`share on, by probability), "found" (the share of the rarer class that is), "right" `+
		`(the share of what is found that is of that class) or "auc", of two classes`)
	expected := flag.Bool(
		"expected", false,
		"print the documentation's table of what can be expected, and nothing else",
	)
	flag.Parse()
	if *expected {
		if err := printExpected(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	s.figures = strings.Split(*figures, ",")
	var err error
	if s.loss, err = learn.ParseLoss(*loss, *width); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%-14s %7s %7s", "data", "rows", "columns")
	for _, text := range strings.Split(*epsilons, ",") {
		fmt.Printf("  %18s", "ε = "+text)
	}
	fmt.Println()
	for _, name := range strings.Split(*names, ",") {
		if err := measure(name, strings.Split(*epsilons, ","), s); err != nil {
			fmt.Fprintln(os.Stderr, name+":", err)
			os.Exit(1)
		}
	}
}

// measure prints one row of the table.
func measure(name string, epsilons []string, s settings) error {
	all, err := load(name, func(schema *data.Schema) {
		if s.norm != "" {
			schema.Rows.Norm = data.Norm(s.norm)
		}
		if s.kappa >= 0 {
			schema.Intercept = s.kappa
		}
	})
	if err != nil {
		return err
	}
	if s.weight != "" {
		if s.loss, err = weighted(s.weight, all); err != nil {
			return err
		}
	}
	lines := make([]string, len(s.figures))
	for k, figure := range s.figures {
		lines[k] = fmt.Sprintf("%-14s %7d %7d", name, all.X.Rows(), all.X.Columns)
		if len(lines) > 1 {
			lines[k] = fmt.Sprintf("%-14s %-15s", name, figure)
		}
	}
	for _, text := range epsilons {
		epsilon, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		fit, err := s.choose(all.Schema, epsilon, float64(all.X.Rows()*4/5))
		if err != nil {
			return err
		}
		mean, deviation, err := accuracy(all, fit, s)
		if err != nil {
			return err
		}
		for k := range lines {
			lines[k] += fmt.Sprintf("  %8.2f %% ± %.2f %%", 100*mean[k], 100*deviation[k])
		}
	}
	fmt.Println(strings.Join(lines, "\n"))
	return nil
}

// choose is the fit that the defaults make of ε, but for what the settings override.
// records is how many there are to fit to, for methods that are told.
func (s settings) choose(
	schema *data.Schema, epsilon, records float64,
) (learn.Chosen, error) {
	asked := learn.Asked{
		Schema: schema, Loss: s.loss, Guarantee: privacy.Guarantee{
			Epsilon: epsilon, Delta: s.delta, Adjacency: privacy.AddRemove,
		},
	}
	if s.preset == "paper" {
		return methods.Choose("amp-paper", asked)
	}
	switch s.method {
	case "usual": // of numbers with -norm scale, which methods.Rows takes
		asked.Records = oneDigit(records)
		return methods.Choose("", asked)
	case "choose-lambda", "choose-method":
		return s.privately(asked, oneDigit(records))
	}
	if s.method != methods.Default {
		asked.Records = records
		return methods.Choose(s.method, asked)
	}
	norm := schema.RowNorm()
	asked.Tuning = learn.Tuning{
		Bound:  objective.Bound(s.bound),
		Clip:   s.clip * norm,
		Radius: s.radius / norm,
	}
	if k := float64(len(schema.Label.Classes)); s.lambda > 0 && s.loss == glm.Loss(glm.Softmax{}) {
		asked.Tuning.Lambda = s.lambda * norm * norm * k / (epsilon * (k - 1))
	} else if s.lambda > 0 {
		sigma, err := calibrate.Gaussian(epsilon, s.delta, norm)
		if err != nil {
			return learn.Chosen{}, err
		}
		asked.Tuning.Lambda = norm * norm / (epsilon + s.lambda*norm*norm/(2*sigma*sigma))
	}
	return methods.Choose(methods.Default, asked)
}

// score is the accuracy, or the share of the variance explained.
func score(m learn.Model, test *data.Dataset) float64 {
	if test.Schema.Label.Type != data.NumericLabel {
		return m.Evaluate(test).Accuracy()
	}
	mean, errors, variance := 0.0, 0.0, 0.0
	for _, y := range test.Y {
		mean += y / float64(len(test.Y))
	}
	for i, y := range test.Y {
		e := m.Margin(test.X.Row(i)) - y
		errors += e * e
		variance += (y - mean) * (y - mean)
	}
	return 1 - errors/variance
}

// accuracy returns the mean of each figure and its standard error.
func accuracy(
	all *data.Dataset, fit learn.Chosen, s settings,
) (mean, deviation []float64, err error) {
	source := random.Secure()
	found := make([][]float64, len(s.figures))
	for seed := range s.splits {
		train, test := tables.Split(all, uint64(seed)+1)
		for range s.repeats {
			model, _, err := fit.Fit(
				context.Background(), learn.Problem{Data: train, Loss: s.loss}, source,
				learn.Watch{},
			)
			if errors.Is(err, selection.ErrNoRun) {
				continue
			}
			if err != nil {
				return nil, nil, err
			}
			for k, figure := range s.figures {
				if figure == "accuracy" {
					found[k] = append(found[k], score(model, test))
				} else {
					found[k] = append(found[k], ofRare(model, test, figure))
				}
			}
		}
	}
	for _, figures := range found {
		n, sum, squares := float64(len(figures)), 0.0, 0.0
		for _, f := range figures {
			sum += f
		}
		for _, f := range figures {
			squares += (f - sum/n) * (f - sum/n)
		}
		mean, deviation = append(mean, sum/n), append(deviation, math.Sqrt(squares/(n-1)/n))
	}
	return mean, deviation, nil
}
