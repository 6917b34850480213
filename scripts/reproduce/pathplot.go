package main

import (
	"fmt"
	"html"
	"math"
	"sort"
	"strconv"
	"strings"

	"cloister/core/lab"
)

func pathPlotName(set string, lambda float64) string {
	return fmt.Sprintf("paths-%s-lambda-%g.svg", set, lambda)
}

const pathStyle = `
.adaptive { --ink: #0b57b8 } .oracle { --ink: #57606a } .c0 { --ink: #e8a33d } .c1 { --ink: #d07a1a } .c2 { --ink: #a9540c } .c3 { --ink: #713306 }
.band { fill: var(--ink); opacity: .14; stroke: none }
.adaptive .line { stroke-width: 3 } .oracle .line { stroke-dasharray: 2 4 } .constant .line { stroke-width: 1.6 }
.adaptive text { font-weight: 600 }
@media (prefers-color-scheme: dark) {
  .adaptive { --ink: #79b8ff } .oracle { --ink: #9198a1 } .c0 { --ink: #a8763a } .c1 { --ink: #c98f45 } .c2 { --ink: #e6ae66 } .c3 { --ink: #ffd5a3 }
  .band { opacity: .22 }
}
`

// pathPlot draws ‖∇F‖ over ε, both by logarithm, as Fay et al.'s Figure 1:
// medians, and the quartiles between them shaded.
func pathPlot(set lab.Set, lambda float64, all []track) string {
	epsilons := lab.PathEpsilons()
	low, high := math.Inf(1), 0.0
	for _, t := range all {
		for k := range t.Gradient {
			low, high = math.Min(low, t.Gradient[k].Low), math.Max(high, t.Gradient[k].High)
		}
	}
	low = math.Max(low, 1e-5)
	bottom, top := math.Log10(low)-0.05, math.Log10(high)+0.05
	first, last := math.Log(epsilons[0]), math.Log(epsilons[len(epsilons)-1])
	x := func(e float64) float64 { return plotLeft + innerWidth*(math.Log(e)-first)/(last-first) }
	y := func(g float64) float64 {
		return plotTop + innerHeight*(top-math.Log10(math.Max(g, low)))/(top-bottom)
	}
	kind := "convex"
	if lambda > 0 {
		kind = "strongly convex"
	}
	var b strings.Builder
	for d := math.Floor(bottom); d <= top; d++ {
		for _, digit := range []float64{1, 2, 5} {
			level := digit * math.Pow(10, d)
			if at := math.Log10(level); at < bottom || at > top || digit > 1 && top-bottom > 2.5 {
				continue
			}
			drawLevel(&b, y(level), strconv.FormatFloat(level, 'g', 3, 64))
		}
	}
	for _, tick := range []float64{0.01, 0.1, 1, 10, 20} {
		drawTick(&b, x(tick), tick)
	}
	ends := make([]float64, len(all))
	for i, t := range all {
		ends[i] = y(t.Gradient[len(t.Gradient)-1].Median)
	}
	names := spread(ends)
	for i, t := range all {
		class, title := trackClass(t.Schedule, i)
		var line, upper, lower strings.Builder
		for k, e := range t.Epsilon {
			verb := "L"
			if k == 0 {
				verb = "M"
			}
			fmt.Fprintf(&line, "%s%.1f %.1f", verb, x(e), y(t.Gradient[k].Median))
			fmt.Fprintf(&upper, "%s%.1f %.1f", verb, x(e), y(t.Gradient[k].High))
			back := len(t.Epsilon) - 1 - k
			fmt.Fprintf(&lower, "L%.1f %.1f", x(t.Epsilon[back]), y(t.Gradient[back].Low))
		}
		edge := plotLeft + innerWidth
		fmt.Fprintf(
			&b,
			`<g class="series %s"><path class="band" d="%s%sz"/><path class="line" d="%s"/><path class="lead" d="M%g %.1fL%g %.1fh6"/><text x="%g" y="%.1f">%s</text></g>`+"\n",
			class,
			upper.String(),
			lower.String(),
			line.String(),
			edge+3,
			ends[i],
			edge+14,
			names[i],
			edge+25,
			names[i]+4.5,
			html.EscapeString(title),
		)
	}
	return framed(
		set.Title+": norm of the gradient over epsilon",
		plotStyle+pathStyle,
		fmt.Sprintf("%s: how far gradient descent comes (λ = %g, %s)", set.Title, lambda, kind),
		fmt.Sprintf(
			"norm of the gradient · median of %d repetitions, quartiles shaded · replace-one, δ = 1/N",
			all[0].Repetitions,
		),
		b.String(),
	)
}

func trackClass(schedule string, index int) (class, title string) {
	switch schedule {
	case lab.PathAdaptive:
		return "adaptive", "falling noise, adaptive"
	case lab.PathOracle:
		return "oracle", "oracle (not private)"
	}
	return "constant c" + strconv.Itoa((index-1)%4), "σ = " +
		strings.TrimPrefix(schedule, "constant ") + ", constant"
}

// spread moves heights apart until they are labelGap from each other, as little
// as that takes, within the plot.
func spread(wanted []float64) []float64 {
	order := make([]int, len(wanted))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return wanted[order[i]] < wanted[order[j]] })
	// Blocks of names that touch are centred on what their members want.
	type block struct {
		sum, top float64
		members  []int
	}
	var blocks []block
	for _, i := range order {
		at := math.Min(wanted[i], plotTop+innerHeight)
		blocks = append(blocks, block{at, at, []int{i}})
		for {
			last := &blocks[len(blocks)-1]
			height := labelGap * float64(len(last.members)-1)
			last.top = last.sum/float64(len(last.members)) - height/2
			last.top = math.Max(plotTop, math.Min(last.top, plotTop+innerHeight-height))
			if len(blocks) == 1 {
				break
			}
			before := &blocks[len(blocks)-2]
			if before.top+labelGap*float64(len(before.members)) <= last.top {
				break
			}
			before.sum += last.sum
			before.members = append(before.members, last.members...)
			blocks = blocks[:len(blocks)-1]
		}
	}
	heights := make([]float64, len(wanted))
	for _, b := range blocks {
		for k, i := range b.members {
			heights[i] = b.top + labelGap*float64(k)
		}
	}
	return heights
}
