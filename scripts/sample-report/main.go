// Command sample-report makes the sample of the page for readers of a privacy report: a fit of
// the studio's sample at ε = 1 with secure noise, and a data-independent report of it, which
// costs nothing.
//
//	sample-report SCHEMA.json ROWS.csv OUT.json
//
// writes one JSON object with the two documents, "release" and "report". It is run
// by scripts/sample-report.mjs, seldom: noise is drawn anew each time, so the
// outcome is committed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/report"
)

var guarantee = privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}

const rho = 0.01 // probability of failure that the report proposes

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sample-report SCHEMA.json ROWS.csv OUT.json")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(schemaPath, rowsPath, outPath string) error {
	text, err := os.ReadFile(schemaPath)
	if err != nil {
		return err
	}
	schema, err := data.ParseSchema(text)
	if err != nil {
		return err
	}
	rows, err := os.Open(rowsPath)
	if err != nil {
		return err
	}
	defer rows.Close()
	dataset, err := data.Read(rows, schema, data.ReadOptions{})
	if err != nil {
		return err
	}
	problem := learn.Problem{Data: dataset, Loss: glm.Logistic{}}
	fit, err := methods.Choose(
		methods.Default, learn.Asked{Schema: schema, Loss: problem.Loss, Guarantee: guarantee},
	)
	if err != nil {
		return err
	}
	fitted, _, err := fit.Fit(context.Background(), problem, random.Secure(), learn.Watch{})
	if err != nil {
		return err
	}
	release, err := learn.NewRelease(fit.Event, guarantee, fit.Bound, fitted)
	if err != nil {
		return err
	}
	mechanism, err := report.MechanismOf(release)
	if err != nil {
		return err
	}
	made, err := report.New(release, report.Published{}, rho, report.Scope{People: 1})
	if err != nil {
		return err
	}
	tree, err := made.Tree(mechanism)
	if err != nil {
		return err
	}
	both, err := json.Marshal(map[string]any{"release": release, "report": tree})
	if err != nil {
		return err
	}
	return os.WriteFile(outPath, append(both, '\n'), 0o644)
}
