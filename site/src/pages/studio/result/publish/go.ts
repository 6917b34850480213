import { goImports, goMain } from "../../../../scorecard/go-main.ts";
import { quoted } from "../../../../chart/literal.ts";
import { type Choice, type FeatureSpec, type Spec, hasIndicators } from "./spec.ts";

/**
 * A Go program, standard library only: `go run model.go people.csv` predicts a file, and the
 * function Predict may be copied into another program.
 */
export function go(spec: Spec): string {
  const { label, loss } = spec;
  return `${spec.about.map((line) => `// ${line}`).join("\n")}
package main

import (
${goImports}
	"regexp"
)

type feature struct {
	name            string
	low, high, span float64
	log             bool
	value           float64 // in place of a missing number; NaN if there is none

	// Of a category: -1 is none of them, -2 no answer.
	categories       []string
	missing, unknown int
${hasIndicators(spec) ? `\n\tindicator bool // one column more says whether the value is missing\n` : ""}}

var features = []feature{
${spec.features.map((f) => `\t${feature(f)},`).join("\n")}
}

var missing = []string{${spec.missing.map(quoted).join(", ")}}

var number = regexp.MustCompile("^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$")

const intercept, clip = ${spec.intercept}, ${spec.clip}

var vectors = [][]float64{
${spec.vectors.map((v) => `\t{${v.join(", ")}},`).join("\n")}
}
${label.kind === "several" ? `\nvar classes = []string{${label.classes.map(quoted).join(", ")}}\n` : ""}
func find(text string, list []string) int {
	for i, entry := range list {
		if entry == text {
			return i
		}
	}
	return -1
}

${hasIndicators(spec) ? said : ""}// encode returns the row of a record: one entry a column, the intercept last.
func encode(record map[string]string) ([]float64, error) {
	var row []float64
	for _, f := range features {
		text, given := record[f.name]
		if !given {
			return nil, errors.New(f.name + " is not in the record")
		}
		text = strings.Trim(text, " \\t")
		absent := find(text, missing) >= 0
		if f.categories != nil {
			k := find(text, f.categories)
			if k < 0 && absent {
				k = f.missing
			} else if k < 0 {
				k = f.unknown
			}
			if k == -2 {
				return nil, errors.New(f.name + ": " + strconv.Quote(text) + " is not a category that the model knows")
			}
			for j := range f.categories {
				entry := 0.0
				if j == k {
					entry = 1
				}
				row = append(row, entry)
			}
${hasIndicators(spec) ? `\t\t\trow = append(row, f.said(absent)...)\n` : ""}			continue
		}
		x, err := f.value, error(nil)
		if !absent {
			x, err = strconv.ParseFloat(text, 64)
		}
		if err != nil || !absent && !number.MatchString(text) || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, errors.New(f.name + ": " + strconv.Quote(text) + " is not a number")
		}
		x = math.Min(math.Max(x, f.low), f.high) - f.low
		if f.log {
			x = math.Log1p(x)
		}
		row = append(row, x/f.span)
${hasIndicators(spec) ? `\t\trow = append(row, f.said(absent)...)\n` : ""}	}
${bounded(spec)}
	if intercept > 0 {
		row = append(row, intercept)
	}
	return row, nil
}

func norm(row []float64) float64 {
	sum := 0.0
	for _, x := range row {
		sum += x * x
	}
	return math.Sqrt(sum)
}
${
  label.kind === "number" || loss === "huber" || loss === "softmax"
    ? ""
    : `
// probability of the class +1, for a loss whose slope was cut off at cut.
func probability(margin, cut float64) float64 {
${
  loss === "squared"
    ? `	up, down := math.Min(1-margin, cut), math.Min(1+margin, cut)
	switch {
	case up <= 0:
		return 1
	case down <= 0:
		return 0
	}
	return down / (up + down)`
    : loss === "shifted-logistic"
      ? `	up := math.Min(1/(1+math.Exp(margin-${spec.shift})), cut)
	down := math.Min(1/(1+math.Exp(-margin-${spec.shift})), cut)
	return down / (up + down)`
      : loss === "weighted-logistic"
        ? `	const weight = ${spec.weight} // of the class +1, where that of −1 is 1
	most := math.Max(1, weight)
	up := math.Min(1/most/(1+math.Exp(-margin)), cut)
	down := math.Min(weight/most/(1+math.Exp(margin)), cut)
	return up / (up + down)`
        : `	e := math.Exp(-math.Abs(margin))
	rare, likely := math.Min(e/(1+e), cut), math.Min(1/(1+e), cut)
	if margin >= 0 {
		return likely / (likely + rare)
	}
	return rare / (likely + rare)`
}
}
`
}
// Prediction is what the model says of one record.
type Prediction struct {
	Margins []float64 // one a class, of a number or two classes one
${label.kind === "number" ? "	Value   float64" : `	Label   string${loss === "huber" ? "" : `\n	// ${label.kind === "two" ? "Of " + quoted(label.positive) + ", alone." : "Of the classes."}\n	Probabilities []float64`}`}
}

// Predict takes values by the names of the features, all as text; "" is missing.
func Predict(record map[string]string) (Prediction, error) {
	row, err := encode(record)
	if err != nil {
		return Prediction{}, err
	}
	var p Prediction
	for _, vector := range vectors {
		margin := 0.0
		for j, t := range vector {
			margin += t * row[j]
		}
		p.Margins = append(p.Margins, margin)
	}
${body()}
	return p, nil
}

${goMain("Predict")}`;

  function body(): string {
    if (label.kind === "number") {
      return `	const low, high = float64(${label.low}), float64(${label.high})
	p.Value = math.Min(math.Max(low+(p.Margins[0]+1)/2*(high-low), low), high)`;
    }
    const odds =
      loss === "huber"
        ? ""
        : loss === "softmax"
          ? `	largest, total := p.Margins[0], 0.0
	for _, margin := range p.Margins {
		largest = math.Max(largest, margin)
	}
	for _, margin := range p.Margins {
		p.Probabilities = append(p.Probabilities, math.Exp(margin-largest))
		total += math.Exp(margin - largest)
	}
`
          : `	cut := clip / norm(row)
	total := 0.0
	for _, margin := range p.Margins {
		p.Probabilities = append(p.Probabilities, probability(margin, cut))
		total += probability(margin, cut)
	}
`;
    if (label.kind === "two") {
      return `${odds.replace(/\ttotal := 0.0\n|\t\ttotal .*\n/g, "")}	p.Label = ${quoted(label.negative)}
	if p.Margins[0] >= 0 {
		p.Label = ${quoted(label.positive)}
	}`;
    }
    const scaled =
      odds === ""
        ? ""
        : `${odds}	for k := range p.Probabilities {
		if total > 0 {
			p.Probabilities[k] /= total
		} else {
			p.Probabilities[k] = 1 / float64(len(p.Probabilities))
		}
	}
`;
    return `${scaled}	best := 0
	for k, margin := range p.Margins {
		if margin > p.Margins[best] {
			best = k
		}
	}
	p.Label = classes[best]`;
  }
}

const said = `// said is the entry that says whether the value is missing, if there is one.
func (f feature) said(absent bool) []float64 {
	switch {
	case !f.indicator:
		return nil
	case absent:
		return []float64{1}
	}
	return []float64{0}
}

`;

/** The row's norm, as the schema says. */
function bounded({ norm, scale }: Spec): string {
  if (norm === "scale")
    return `	for j := range row {
		row[j] *= ${scale}
	}`;
  return `	if length := norm(row); length > ${norm === "unit" ? 0 : 1} {
		for j := range row {
			row[j] /= length
		}
	}`;
}

function feature(f: FeatureSpec): string {
  const more = f.indicator ? ", indicator: true" : "";
  const number = (x: Choice): string => (x === null ? "-2" : String(x));
  if ("categories" in f) {
    return `{name: ${quoted(f.name)}, categories: []string{${f.categories.map(quoted).join(", ")}}, missing: ${number(f.missing)}, unknown: ${number(f.unknown)}${more}}`;
  }
  return `{name: ${quoted(f.name)}, low: ${f.low}, high: ${f.high}, span: ${f.span}${f.log ? ", log: true" : ""}, value: ${f.missing ?? "math.NaN()"}${more}}`;
}
