// Native times what a fit is made of, compiled for this machine, and prints the
// figures as JSON: milliseconds, but for "csv" in megabytes a second. It is
// given a CSV file and a schema; without them it prints the accounting alone.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random"
)

func main() {
	table := flag.String("data", "", "CSV file")
	public := flag.String("schema", "", "its schema")
	published := flag.String("published", "", "a release and its privacy report, of the sample")
	cards := flag.String("cards", "", "CSV file to choose scorecards for")
	levels := flag.String("levels", "", "its schema")
	flag.Parse()
	if err := run(*table, *public, *published, *cards, *levels); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(table, public, published, cards, levels string) error {
	figures := map[string]float64{}
	if err := accounting(figures); err != nil {
		return err
	}
	if published != "" {
		if err := bound(figures, published); err != nil {
			return err
		}
	}
	if table != "" {
		if err := fit(figures, table, public); err != nil {
			return err
		}
	}
	if cards != "" {
		if err := scorecards(figures, cards, levels); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(figures)
}

// median returns the median duration of times runs of action, in milliseconds.
func median(times int, action func(i int) error) (float64, error) {
	taken := make([]float64, times)
	for i := range taken {
		start := time.Now()
		if err := action(i); err != nil {
			return 0, err
		}
		taken[i] = float64(time.Since(start)) / float64(time.Millisecond)
	}
	return middle(taken), nil
}

// middle is the median; it sorts.
func middle(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

func fit(figures map[string]float64, table, public string) error {
	text, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	description, err := os.ReadFile(public)
	if err != nil {
		return err
	}
	schema, err := data.ParseSchema(description)
	if err != nil {
		return err
	}
	var dataset *data.Dataset
	taken, err := median(7, func(int) (err error) {
		dataset, err = data.Read(bytes.NewReader(text), schema, data.ReadOptions{})
		return err
	})
	if err != nil {
		return err
	}
	figures["csv"] = float64(len(text)) / 1e6 / (taken / 1000)

	guarantee := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	problem := learn.Problem{Data: dataset, Loss: glm.Logistic{}}
	source := random.Secure()
	asked := learn.Asked{
		Schema: schema, Loss: problem.Loss, Guarantee: guarantee, Records: 40_000,
	}
	for name, of := range map[string]struct {
		method string
		runs   int
	}{"fit": {methods.Default, 51}, "steps": {dpgd.MeanLearner.Name, 9}} {
		figures[name], err = median(of.runs, func(int) error {
			fit, err := methods.Choose(of.method, asked)
			if err != nil {
				return err
			}
			_, _, err = fit.Fit(context.Background(), problem, source, learn.Watch{})
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := losses(figures, problem, guarantee); err != nil {
		return err
	}
	return descent(figures, problem)
}

func accounting(figures map[string]float64) (err error) {
	gaussian := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 3}
	perturbed := privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic,
		RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 1, Sigma: 4,
	}
	epsilon := func(event privacy.Event) func(i int) error {
		return func(i int) error {
			profile, err := objective.Of(event, objective.BoundAuto)
			if err != nil {
				return err
			}
			_, err = curve.EpsilonUpper(profile, 1e-5/float64(1+i))
			return err
		}
	}
	if figures["gaussian-epsilon"], err = median(501, epsilon(gaussian)); err != nil {
		return err
	}
	if figures["objective-epsilon"], err = median(501, epsilon(perturbed)); err != nil {
		return err
	}
	points := func(bound objective.Bound) func(int) error {
		return func(int) error {
			profile, err := objective.Of(perturbed, bound)
			if err != nil {
				return err
			}
			for i := range 200 {
				if _, err := curve.DeltaUpper(profile, 4*float64(i)/199); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if figures["objective-curve"], err = median(101, points(objective.BoundAuto)); err != nil {
		return err
	}
	perturbed.Lambda = 0.5
	figures["control-curve"], err = median(21, points(objective.BoundControl))
	return err
}
