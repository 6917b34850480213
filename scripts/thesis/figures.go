package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"cloister/core/lab/thesis"
	"cloister/scripts/figures"
)

var epsilons = []float64{0.1, 0.3, 1, 3, 10}

// splits of each table into records to fit and records to test.
const splits = 8

// regression is figure 3.1: a table and a plot a data set.
func regression(ctx context.Context, r *figures.Report, folder string, say io.Writer) error {
	list, err := tables(folder, say)
	if err != nil {
		return err
	}
	r.Section("Figure 3.1: linear regression", fmt.Sprintf(
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
		var lines []figures.Line
		for _, system := range thesis.Systems() {
			row := []string{system.Name}
			l := figures.Line{Name: system.Name}
			for i, epsilon := range epsilons {
				found := medians[system.Name][i]
				elsewhere := exact + there.Errors[system.Name][i] - there.LeastSquares
				row = append(row, fmt.Sprintf("%.4f (%.4f)", found, elsewhere))
				rows = append(rows, []string{
					table.Name, system.Name,
					figures.Number(epsilon), figures.Number(found), figures.Number(elsewhere),
				})
				l.Points = append(l.Points, figures.Point{X: epsilon, Y: found})
			}
			cells, lines = append(cells, row), append(lines, l)
		}
		r.Paragraph("**%s**: %d records, %d columns; least squares without privacy %.4f, predicting 0 %.4f.",
			table.Name, table.Records(), table.Columns(), exact, zero)
		r.Table(append([]string{"ε"}, each(epsilons, figures.Number)...), cells)
		r.Plot(fmt.Sprintf("figure-3-1-%d.svg", k+1), figures.Plot{
			Title: table.Name, X: "ε (smaller is more private)", Y: "mean squared error",
			Lines: lines, Base: exact, BaseName: "without privacy",
		})
	}
	return r.CSV("figure-3-1.csv", rows)
}

// teachers is figure 3.2: ε over the noise of each class's votes.
func teachers(ctx context.Context, r *figures.Report, say io.Writer) error {
	sigmas := []float64{10, 15, 20, 30, 40, 50, 60, 80, 100}
	r.Section("Figure 3.2: labels by the votes of teachers", fmt.Sprintf(
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
		lines := []figures.Line{
			{Name: "noise alone"}, {Name: "with a test"}, {Name: "these votes, two tails"},
			{Name: "these votes, Papernot et al."},
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
			row := []string{figures.Number(sigma)}
			for i, v := range values {
				row = append(row, orDash(v))
				if !math.IsInf(v, 1) {
					lines[i].Points = append(lines[i].Points, figures.Point{X: sigma, Y: v})
				}
			}
			cells = append(cells, append(row, fmt.Sprintf("%.1f %%", 100*found.Right)))
			rows = append(rows, append(
				append(
					[]string{consensus.Name, figures.Number(sigma)},
					each(values, figures.Number)...,
				),
				figures.Number(found.Right),
			))
		}
		r.Paragraph("**%s**", consensus.Name)
		r.Table([]string{
			"σ", "noise alone", "with a test", "these votes, two tails",
			"these votes, Papernot et al.", "labels that are the plurality’s",
		}, cells)
		r.Plot(fmt.Sprintf("figure-3-2-%d.svg", k+1), figures.Plot{
			Title: consensus.Name, X: "σ, in votes", Y: "ε at δ = 10⁻⁵", Lines: lines,
		})
	}
	return r.CSV("figure-3-2.csv", rows)
}

// votes is figure B.1: ε over the chance of a wrong answer.
func votes(r *figures.Report, say io.Writer) error {
	fmt.Fprintln(say, "Figure B.1")
	r.Section("Figure B.1: one vote between two classes", fmt.Sprintf(
		`ε at δ = 10⁻⁶ of naming the majority, %d votes ahead, with so small a chance of being wrong.
“After a test” passes in 95 %% and else gives no answer, as in the thesis. The best vote always
answers, and nothing private does better (package vote).`, thesis.Gap))
	lines := []figures.Line{{Name: "noisy counts"}, {Name: "after a test"}, {Name: "the best vote"}}
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
				lines[i].Points = append(lines[i].Points, figures.Point{X: found.Wrong, Y: v})
			}
		}
		rows = append(
			rows, append([]string{figures.Number(found.Wrong)}, each(values, figures.Number)...),
		)
		switch exponent {
		case 4, 6, 8, 12, 17, 25:
			cells = append(cells, append(
				[]string{fmt.Sprintf("10⁻%s", superscript(exponent))}, each(values, orDash)...))
		}
	}
	r.Table([]string{"wrong with chance", "noisy counts", "after a test", "the best vote"}, cells)
	r.Plot("figure-b-1.svg", figures.Plot{
		Title: "One vote, 100 ahead", X: "chance of a wrong answer", Y: "ε at δ = 10⁻⁶",
		Lines: lines,
	})
	return r.CSV("figure-b-1.csv", rows)
}

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
