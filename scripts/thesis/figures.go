package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"cloister/core/lab/thesis"
)

var epsilons = []float64{0.1, 0.3, 1, 3, 10}

// splits of each table into records to fit and records to test.
const splits = 8

// regression is figure 3.1: a table and a plot a data set.
func regression(ctx context.Context, r *report, folder string, say io.Writer) error {
	list, err := tables(folder, say)
	if err != nil {
		return err
	}
	r.section("Figure 3.1: linear regression", fmt.Sprintf(
		`Mean squared error on held-out records, the median of %d splits; δ = 10⁻⁶, one record added or
removed, rows of norm 1 at most, labels from −1 to 1. In brackets: what independent code measured
above least squares there, added to least squares here; its made-up tables are other draws, and its
columns of Adult are others. The two without a test take the number of records for public. The
thesis' own sampler and AdaOPS are not here: the constants printed for them do not have the
guarantee that is claimed.`, splits))
	rows := [][]string{{"table", "system", "epsilon", "median", "elsewhere"}}
	for k, table := range list {
		fmt.Fprintf(say, "Figure 3.1: %s\n", table.Name)
		medians := map[string][]float64{}
		exact, zero, err := thesis.Regression(ctx, table, epsilons, splits, func(e thesis.Errors) {
			medians[e.System] = append(medians[e.System], e.Median())
		})
		if err != nil {
			return err
		}
		there := thesis.Elsewhere[table.Name]
		var cells [][]string
		var lines []line
		for _, system := range thesis.Systems() {
			row := []string{system.Name}
			l := line{name: system.Name}
			for i, epsilon := range epsilons {
				found := medians[system.Name][i]
				elsewhere := exact + there.Errors[system.Name][i] - there.LeastSquares
				row = append(row, fmt.Sprintf("%.4f (%.4f)", found, elsewhere))
				rows = append(rows, []string{
					table.Name, system.Name, number(epsilon), number(found), number(elsewhere),
				})
				l.points = append(l.points, point{epsilon, found})
			}
			cells, lines = append(cells, row), append(lines, l)
		}
		r.paragraph("**%s**: %d records, %d columns; least squares without privacy %.4f, predicting 0 %.4f.",
			table.Name, table.Records(), table.Columns(), exact, zero)
		r.table(append([]string{"ε"}, each(epsilons, number)...), cells)
		r.plot(fmt.Sprintf("figure-3-1-%d.svg", k+1), plot{
			title: table.Name, x: "ε (smaller is more private)", y: "mean squared error",
			lines: lines, base: exact, baseName: "without privacy",
		})
	}
	return r.csv("figure-3-1.csv", rows)
}

// teachers is figure 3.2: ε over the noise of each class's votes.
func teachers(ctx context.Context, r *report, say io.Writer) error {
	sigmas := []float64{10, 15, 20, 30, 40, 50, 60, 80, 100}
	r.section("Figure 3.2: labels by the votes of teachers", fmt.Sprintf(
		`ε at δ = 10⁻⁵ of %d labels by %d simulated teachers, for noise σ on the votes of each of %d
classes. “With a test” is the cheapest plan that any public guess of the gap leads to and that
passes with probability 0.999; a dash where none is cheaper than noise alone. The last two are what
these very votes cost. They are private numbers, so they are what a test can hope for, and nothing
that could be claimed.`, thesis.Queries, thesis.Teachers, thesis.Classes))
	rows := [][]string{{
		"consensus", "sigma", "gaussian", "tested", "two_tails", "papernot", "right",
	}}
	for k, consensus := range []thesis.Consensus{thesis.High, thesis.Low} {
		votes := consensus.Votes()
		lines := []line{
			{name: "noise alone"}, {name: "with a test"}, {name: "these votes, two tails"},
			{name: "these votes, Papernot et al."},
		}
		var cells [][]string
		for _, sigma := range sigmas {
			if err := ctx.Err(); err != nil {
				return err
			}
			fmt.Fprintf(say, "Figure 3.2: %s, σ = %g\n", consensus.Name, sigma)
			found, err := thesis.Label(votes, sigma)
			if err != nil {
				return err
			}
			values := []float64{found.Gaussian, found.Tested, found.TwoTails, found.Papernot}
			row := []string{number(sigma)}
			for i, v := range values {
				row = append(row, orDash(v))
				if !math.IsInf(v, 1) {
					lines[i].points = append(lines[i].points, point{sigma, v})
				}
			}
			cells = append(cells, append(row, fmt.Sprintf("%.1f %%", 100*found.Right)))
			rows = append(rows, append(
				append([]string{consensus.Name, number(sigma)}, each(values, number)...),
				number(found.Right)))
		}
		r.paragraph("**%s**", consensus.Name)
		r.table([]string{
			"σ", "noise alone", "with a test", "these votes, two tails",
			"these votes, Papernot et al.", "labels that are the plurality’s",
		}, cells)
		r.plot(fmt.Sprintf("figure-3-2-%d.svg", k+1), plot{
			title: consensus.Name, x: "σ, in votes", y: "ε at δ = 10⁻⁵", lines: lines,
		})
	}
	return r.csv("figure-3-2.csv", rows)
}

// votes is figure B.1: ε over the chance of a wrong answer.
func votes(r *report, say io.Writer) error {
	fmt.Fprintln(say, "Figure B.1")
	r.section("Figure B.1: one vote between two classes", fmt.Sprintf(
		`ε at δ = 10⁻⁶ of naming the majority, %d votes ahead, with so small a chance of being wrong.
“After a test” passes in 95 %% and else gives no answer, as in the thesis. The best vote always
answers, and nothing private does better (package vote).`, thesis.Gap))
	lines := []line{{name: "noisy counts"}, {name: "after a test"}, {name: "the best vote"}}
	rows := [][]string{{"wrong", "laplace", "tested", "best"}}
	var cells [][]string
	for exponent := 4; exponent <= 25; exponent++ {
		found, err := thesis.Price(math.Pow(10, -float64(exponent)))
		if err != nil {
			return err
		}
		values := []float64{found.Laplace, found.Tested, found.Best}
		for i, v := range values {
			if !math.IsInf(v, 1) {
				lines[i].points = append(lines[i].points, point{found.Wrong, v})
			}
		}
		rows = append(rows, append([]string{number(found.Wrong)}, each(values, number)...))
		switch exponent {
		case 4, 6, 8, 12, 17, 25:
			cells = append(cells, append(
				[]string{fmt.Sprintf("10⁻%s", superscript(exponent))}, each(values, orDash)...))
		}
	}
	r.table([]string{"wrong with chance", "noisy counts", "after a test", "the best vote"}, cells)
	r.plot("figure-b-1.svg", plot{
		title: "One vote, 100 ahead", x: "chance of a wrong answer", y: "ε at δ = 10⁻⁶",
		lines: lines,
	})
	return r.csv("figure-b-1.csv", rows)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// orDash is a number to three digits, or a dash for none.
func orDash(x float64) string {
	if math.IsInf(x, 1) {
		return "–"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	out := ""
	for _, c := range strconv.Itoa(n) {
		out += string(digits[c-'0'])
	}
	return out
}

func each(values []float64, text func(float64) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = text(v)
	}
	return out
}
