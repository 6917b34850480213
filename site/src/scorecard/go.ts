import { quoted } from "../chart/literal.ts";
import { goImports, goMain } from "./go-main.ts";
import type { AttributeSpec, Spec } from "./spec.ts";

/**
 * A Go program, standard library only: `go run card.go people.csv` scores a file, and the function
 * ScoreOf may be copied into another program.
 */
export function go(spec: Spec): string {
  return `${spec.about.map((line) => `// ${line}`).join("\n")}
package main

import (
${goImports}
	"regexp"
)

type attribute struct {
	name   string
	values map[string]int // points of each text; nil for a number

	// A number has the points whose place is how many cuts are not above it.
	cuts   []float64
	points []int
}

var attributes = []attribute{
${spec.attributes.map((a) => `\t${attribute(a)},`).join("\n")}
}

var missing = []string{${spec.missing.map(quoted).join(", ")}}

const threshold = ${spec.threshold}

var number = regexp.MustCompile("^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$")

// Score is what the card says of one record.
type Score struct {
	Score int
	Yes   bool
	Label string
}

// ScoreOf takes values by the names of the attributes, all as text.
func ScoreOf(record map[string]string) (Score, error) {
	var s Score
	for _, a := range attributes {
		text, given := record[a.name]
		if !given {
			return Score{}, errors.New(a.name + " is not in the record")
		}
		text = strings.Trim(text, " \\t")
		if a.values != nil {
			points, known := a.values[text]
			if !known {
				return Score{}, errors.New(a.name + ": " + strconv.Quote(text) + " is of no level of the card")
			}
			s.Score += points
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		for _, spelling := range missing {
			if text == spelling {
				x = math.NaN()
			}
		}
		if err != nil || !number.MatchString(text) || math.IsNaN(x) || math.IsInf(x, 0) {
			return Score{}, errors.New(a.name + ": " + strconv.Quote(text) + " is not a number")
		}
		level := 0
		for level < len(a.cuts) && x >= a.cuts[level] {
			level++
		}
		s.Score += a.points[level]
	}
	s.Yes, s.Label = s.Score >= threshold, ${quoted(spec.no)}
	if s.Yes {
		s.Label = ${quoted(spec.yes)}
	}
	return s, nil
}

${goMain("ScoreOf")}`;
}

function attribute(a: AttributeSpec): string {
  return "values" in a
    ? `{name: ${quoted(a.name)}, values: map[string]int{${a.values.map(([text, points]) => `${quoted(text)}: ${points}`).join(", ")}}}`
    : `{name: ${quoted(a.name)}, cuts: []float64{${a.cuts.join(", ")}}, points: []int{${a.points.join(", ")}}}`;
}
