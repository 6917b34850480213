package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cloister/core/data"
	"cloister/core/lab/expect"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/wasm/wire/shape"
)

// labelKinds are the names of labels in the page code.
var labelKinds = map[data.LabelType]string{
	data.TwoClasses: "two", data.SeveralClasses: "classes", data.NumericLabel: "numeric",
}

// methodFacts writes what each method of fitting can, as package core/learn/methods has it. What a
// method's fit is, rather than says, is seen by choosing the noise of one.
func methodFacts() (string, error) {
	w := &writer{}
	w.line(generated)
	w.line(`// What each method of fitting can: the table of core/learn/methods.

import type { Adjacency, FitMethod, Loss, PrivacyEvent } from "./types.ts";

export interface FitMethodFacts {
  /** As the literature calls it. */
  readonly title: string;
  /** Labels that it predicts: of two classes, of several, numbers. */
  readonly labels: readonly ("two" | "classes" | "numeric")[];
  readonly losses: readonly Loss[];
  readonly adjacencies: readonly Adjacency[];
  /** It has to be told about how many records there are. */
  readonly records: boolean;
  /**
   * It takes ` + "`bound`, `clip`, `lambda`, `radius` and `tau`" + `; the others choose them
   * themselves.
   */
  readonly tuned: boolean;
  /** Several workers can take its sums over the records. */
  readonly spread: boolean;
  /** A solver certifies its solution; the others take steps. */
  readonly solved: boolean;
  /** Trials on made-up rows show beforehand what such a fit loses. */
  readonly tried: boolean;
  /** A fit takes many times as long as the others'. */
  readonly slow: boolean;
  /** Noisy steps that a fit takes; 0 for one that solves, or computes. */
  readonly steps: number;
  /** What a fit of one vector of coefficients is charged for. */
  readonly mechanism: PrivacyEvent["mechanism"];
}
`)
	w.line("/** The method that is taken where neither one nor a number of records is given. */")
	w.line("export const defaultFitMethod: FitMethod = " + strconv.Quote(methods.Default) + ";")
	w.line("")
	w.line("/** That which is taken where the number of records times ε is below a border, by label. */")
	w.line("export const stepsFitMethod: FitMethod = " + strconv.Quote(dpgd.MeanLearner.Name) + ";")
	w.line("export const stepsBelow = {")
	for _, label := range []data.LabelType{
		data.TwoClasses, data.SeveralClasses, data.NumericLabel,
	} {
		border := "Infinity"
		if below := methods.Border(label); !math.IsInf(below, 1) {
			border = strconv.FormatFloat(below, 'f', -1, 64)
		}
		w.line("  " + labelKinds[label] + ": " + border + ",")
	}
	w.line("} as const;")
	w.line("")
	w.line("/** What a fit has to gain over naming the largest class, as a share: less is nothing. */")
	w.line(fmt.Sprintf("export const leastGain = %v;", expect.LeastGain))
	w.line("")
	w.line("/** The share of trials without that gain from which on it is uncertain. */")
	w.line(fmt.Sprintf("export const tooOften = %v;", expect.TooOften))
	w.line("")
	w.line("/** The share of trials without it, of either strength, from which on it is nothing. */")
	w.line(fmt.Sprintf("export const mostly = %v;", expect.Mostly))
	w.line("")
	w.line("/** The share of medium trials without it from which on it is nothing in any case. */")
	w.line(fmt.Sprintf("export const usually = %v;", expect.Usually))
	w.line("")
	w.line("/** The narrowest Huber loss, by its half-width, that a method which solves takes. */")
	w.line(fmt.Sprintf("export const leastHuberWidth = %v;", float64(learn.LeastWidth)))
	w.line("")
	w.line("/** All methods, in the order in which they are shown. */")
	w.line("export const fitMethods: Readonly<Record<FitMethod, FitMethodFacts>> = {")
	for _, m := range methods.All() {
		chosen, err := chooseOne(m)
		if err != nil {
			return "", err
		}
		_, untried := chosen.Trial()
		w.line("  " + key(m.Name) + ": {")
		w.line("    title: " + strconv.Quote(m.Title) + ",")
		w.line(
			"    labels: " +
				list(m.Labels, func(t data.LabelType) string { return labelKinds[t] }) + ",",
		)
		w.line("    losses: " + list(m.Losses, func(s string) string { return s }) + ",")
		w.line("    adjacencies: " + list(m.Adjacencies, privacy.Adjacency.String) + ",")
		for _, fact := range []struct {
			name string
			is   bool
		}{
			{"records", m.Records}, {"tuned", m.Tuned}, {"spread", m.Spread},
			{"solved", chosen.Tau > 0}, {"tried", untried == nil}, {"slow", methods.WordsOf(m.Name).Slow},
		} {
			w.line(fmt.Sprintf("    %s: %v,", fact.name, fact.is))
		}
		w.line(fmt.Sprintf("    steps: %d,", steps(chosen.Event)))
		w.line("    mechanism: " + strconv.Quote(chosen.Event.Mechanism()) + ",")
		w.line("  },")
	}
	w.line("};")
	return w.String(), nil
}

// steps are the noisy steps of a fit.
func steps(event privacy.Event) int {
	switch e := event.(type) {
	case privacy.GradientDescent:
		return len(e.Sigmas)
	case privacy.SubsampledGaussian:
		return e.Steps
	}
	return 0
}

// chooseOne chooses the noise of a fit by the method: of two classes, or of numbers if it is for
// those alone, and for the first neighbours that it has a guarantee for.
func chooseOne(m learn.Method) (learn.Chosen, error) {
	label := map[string]any{"name": "y", "provenance": "public"}
	version := 1.0
	if slices.Contains(m.Labels, data.TwoClasses) {
		label["negative"], label["positive"] = []any{"0"}, []any{"1"}
	} else {
		version = 2
		label["type"], label["min"], label["max"] = "numeric", 0.0, 1.0
	}
	schema, err := data.SchemaFromTree("", map[string]any{
		"version": version,
		"features": []any{map[string]any{
			"name": "x", "type": "numeric", "min": 0.0, "max": 1.0, "provenance": "public",
		}},
		"label": label, "rows": map[string]any{"norm": "clip"}, "intercept": 0.5,
	})
	if err != nil {
		return learn.Chosen{}, err
	}
	return methods.Choose(m.Name, learn.Asked{
		Schema: schema, Loss: learn.DefaultLoss(&schema.Label), Records: 10000,
		Guarantee: privacy.Guarantee{Adjacency: m.Adjacencies[0], Epsilon: 1, Delta: 1e-5},
	})
}

func list[T any](items []T, name func(T) string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = strconv.Quote(name(item))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// methodWords writes what pages say of each method. It is a file of its own, for a page needs the
// facts at once and the words later.
func methodWords() string {
	w := &writer{}
	w.line(generated)
	w.line(`// What pages say of each method of fitting.

import type { FitMethod } from "./types.ts";

export interface FitMethodWords {
  /** In a list of all. */
  readonly title: string;
  /** Where the noise goes, within a sentence. */
  readonly place: string;
  /** For who chooses one. */
  readonly about: string;
  /** What happens in a fit. */
  readonly run: string;
}
`)
	w.line("export const methodWords: Readonly<Record<FitMethod, FitMethodWords>> = {")
	for _, m := range methods.All() {
		words := methods.WordsOf(m.Name)
		w.line("  " + key(m.Name) + ": {")
		for _, of := range []struct{ name, text string }{
			{"title", words.Title}, {"place", words.Place}, {"about", words.About}, {"run", words.Run},
		} {
			w.line("    " + of.name + ": " + strconv.Quote(of.text) + ",")
		}
		w.line("  },")
	}
	w.line("};")
	return w.String()
}

// describeMethods adds to the declaration of the methods' names what each is.
func describeMethods(set *shape.Set) {
	text := "\n"
	for _, m := range methods.All() {
		text += "\n  - `" + m.Name + "`: " + m.Title
		if len(m.Adjacencies) == 1 {
			text += ", for `" + m.Adjacencies[0].String() + "`"
		}
		if m.Records {
			text += ". Needs `records`"
		}
		if m.Name == methods.Default {
			text += ". The default, but where `records` is given and small for ε"
		}
		text += "."
	}
	set.Named("FitMethod").Doc += text
}
