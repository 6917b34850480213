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

// A plot of accuracy over ε, one line a method, error bars, each line named
// where it ends. Colours are families, dashes say "dishonest", and both themes
// of the reader's system are in the file.
const (
	plotWidth, plotHeight     = 1000.0, 560.0
	plotLeft, plotRight       = 58.0, 290.0
	plotTop, plotBottom       = 74.0, 56.0
	labelGap                  = 17.0 // between names at the right
	belowBaseline             = 0.12 // how far under the commoner label's share the axis may begin
	innerWidth, innerHeight   = plotWidth - plotLeft - plotRight, plotHeight - plotTop - plotBottom
	errorBarShift, markRadius = 1.6, 3.4
)

const plotStyle = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
.title { font-size: 17px; font-weight: 600 }
.note, .tick { fill: #57606a }
.tick { font-variant-numeric: tabular-nums }
.ground { fill: #ffffff }
.grid { stroke: #d8dee4; stroke-width: 1 }
.base { stroke: #8c959f; stroke-width: 1; stroke-dasharray: 1 4 }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round }
.ours .line { stroke-width: 3 }
.ours text { font-weight: 600 }
.dishonest .line { stroke-dasharray: 7 4 }
.none .line { stroke-dasharray: 2 4 }
.bar { stroke-width: 1.1; opacity: .65 }
.lead { stroke-width: 1; opacity: .45; fill: none }
.hollow { fill: #ffffff; stroke-width: 1.8 }
.objective { --ink: #0b57b8 } .sgd { --ink: #b3470a } .gd { --ink: #11795a } .output { --ink: #7d3aa3 } .plain { --ink: #57606a }
.series .line, .series .bar, .series .lead, .series .hollow { stroke: var(--ink) }
.series .full { fill: var(--ink); stroke: var(--ink); stroke-width: 1.8 }
.series text { fill: var(--ink) }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .note, .tick { fill: #9198a1 } .ground, .hollow { fill: #0d1117 } .grid { stroke: #2a313a } .base { stroke: #6e7681 }
  .objective { --ink: #79b8ff } .sgd { --ink: #f0a35e } .gd { --ink: #56d4a4 } .output { --ink: #d2a8ff } .plain { --ink: #9198a1 }
}
`

// series is one method's line.
type series struct {
	method lab.Method
	points []lab.Summary // by ε
}

// plot draws a set's summaries.
func plot(set lab.Set, summaries []lab.Summary, baseline float64, trials int) string {
	lines := seriesOf(set.Name, summaries)
	x, ticks := epsilonScale(lines)
	y, levels := accuracyScale(lines, baseline)
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<clipPath id="inside"><rect x="%g" y="%g" width="%g" height="%g"/></clipPath>`+"\n",
		plotLeft-6,
		plotTop-6,
		innerWidth+12,
		innerHeight+6,
	)
	for _, level := range levels {
		drawLevel(&b, y(level), percentTick(level))
	}
	for _, tick := range ticks {
		drawTick(&b, x(tick), tick)
	}
	if at := y(baseline); at <= plotTop+innerHeight {
		fmt.Fprintf(
			&b,
			`<path class="base" d="M%g %.1fh%g"/><text class="note" x="%g" y="%.1f" text-anchor="end">always the commoner label</text>`+"\n",
			plotLeft,
			at,
			innerWidth,
			plotLeft+innerWidth,
			at+15,
		)
	}
	names := placeNames(lines, y)
	for i := len(lines) - 1; i >= 0; i-- { // the first, ours, on top
		drawSeries(&b, lines[i], i, len(lines), x, y, names[i])
	}
	return framed(
		set.Title+": test accuracy over epsilon",
		plotStyle,
		set.Title+": accuracy on held-out records",
		fmt.Sprintf(
			"δ = 10⁻⁵ · mean of %s, bars 1.96 standard errors · dashed: dishonest, tuned on the test records for free",
			trialsText(trials),
		),
		b.String(),
	)
}

// framed is a picture over ε with its headings; what it says to those who do not
// see it is spoken.
func framed(spoken, style, title, note, inside string) string {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%[1]g" height="%[2]g" role="img" aria-label="%s">`,
		plotWidth,
		plotHeight,
		html.EscapeString(spoken),
	)
	fmt.Fprintf(
		&b, "<style>%s</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n", style,
	)
	fmt.Fprintf(
		&b, `<text class="title" x="%g" y="30">%s</text>`+"\n", plotLeft, html.EscapeString(title),
	)
	fmt.Fprintf(
		&b, `<text class="note" x="%g" y="50">%s</text>`+"\n", plotLeft, html.EscapeString(note),
	)
	fmt.Fprintf(
		&b,
		`<text class="note" x="%g" y="%g" text-anchor="middle">ε (smaller is more private)</text>`+"\n",
		plotLeft+innerWidth/2,
		plotHeight-12,
	)
	b.WriteString(inside + "</svg>\n")
	return b.String()
}

// drawLevel rules a level of the upright axis.
func drawLevel(b *strings.Builder, at float64, name string) {
	fmt.Fprintf(
		b,
		`<path class="grid" d="M%g %.1fh%g"/><text class="tick" x="%g" y="%.1f" text-anchor="end">%s</text>`+"\n",
		plotLeft,
		at,
		innerWidth,
		plotLeft-8,
		at+4,
		name,
	)
}

// drawTick names a place on the axis of ε.
func drawTick(b *strings.Builder, at, epsilon float64) {
	fmt.Fprintf(
		b,
		`<text class="tick" x="%.1f" y="%g" text-anchor="middle">%s</text>`+"\n",
		at,
		plotTop+innerHeight+22,
		strconv.FormatFloat(epsilon, 'g', -1, 64),
	)
}

func trialsText(n int) string {
	if n == 1 {
		return "1 trial"
	}
	return strconv.Itoa(n) + " trials"
}

func seriesOf(set string, summaries []lab.Summary) []series {
	var out []series
	for _, m := range lab.Methods() {
		s := series{method: m}
		for _, sum := range summaries {
			if sum.Set == set && sum.Method == m.Name {
				s.points = append(s.points, sum)
			}
		}
		if len(s.points) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// epsilonScale is logarithmic; the ticks are the ε that there are.
func epsilonScale(lines []series) (func(float64) float64, []float64) {
	seen := map[float64]bool{}
	var ticks []float64
	for _, s := range lines {
		for _, p := range s.points {
			if !math.IsInf(p.Epsilon, 1) && !seen[p.Epsilon] {
				seen[p.Epsilon] = true
				ticks = append(ticks, p.Epsilon)
			}
		}
	}
	sort.Float64s(ticks)
	if len(ticks) == 0 {
		ticks = []float64{1}
	}
	low, high := math.Log(ticks[0]), math.Log(ticks[len(ticks)-1])
	if low == high {
		low, high = low-1, high+1
	}
	const inset = 14
	return func(e float64) float64 {
		return plotLeft + inset + (innerWidth-2*inset)*(math.Log(e)-low)/(high-low)
	}, ticks
}

// accuracyScale shows everything but what lies far below the baseline.
func accuracyScale(lines []series, baseline float64) (func(float64) float64, []float64) {
	low, high := baseline, baseline
	for _, s := range lines {
		for _, p := range s.points {
			low, high = math.Min(low, p.Accuracy.Value), math.Max(high, p.Accuracy.Value)
		}
	}
	low = math.Max(low, baseline-belowBaseline)
	step := 0.002
	for _, s := range []float64{0.005, 0.01, 0.02, 0.05, 0.1} {
		if (high-low)/step > 8 {
			step = s
		}
	}
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	if last == first {
		last++
	}
	var levels []float64
	for k := first; k <= last; k++ {
		levels = append(levels, k*step)
	}
	bottom, top := first*step, last*step
	return func(a float64) float64 { return plotTop + innerHeight*(top-a)/(top-bottom) }, levels
}

func percentTick(a float64) string {
	text := strconv.FormatFloat(100*a, 'f', 1, 64)
	return strings.TrimSuffix(text, ".0") + " %"
}

// placeNames returns the height of each line's name: beside its last point.
func placeNames(lines []series, y func(float64) float64) []float64 {
	wanted := make([]float64, len(lines))
	for i, s := range lines {
		wanted[i] = y(s.points[len(s.points)-1].Accuracy.Value)
	}
	return spread(wanted)
}

func drawSeries(
	b *strings.Builder, s series, index, count int, x, y func(float64) float64, nameAt float64,
) {
	classes := []string{"series", familyClass(s.method.Family)}
	title := s.method.Title
	switch s.method.Standing {
	case lab.Dishonest:
		classes = append(classes, "dishonest") // the title says so
	case lab.NotPrivate:
		classes, title = append(classes, "none"), title+" (not private)"
	}
	if s.method.Name == "amp" {
		classes = append(classes, "ours")
	}
	fmt.Fprintf(b, `<g class="%s"><g clip-path="url(#inside)">`, strings.Join(classes, " "))
	end := s.points[len(s.points)-1]
	right := plotLeft + innerWidth
	if math.IsInf(end.Epsilon, 1) {
		fmt.Fprintf(
			b,
			`<path class="line" d="M%g %.1fh%g"/>`,
			plotLeft,
			y(end.Accuracy.Value),
			innerWidth,
		)
	} else {
		shift := errorBarShift * (float64(index) - float64(count-1)/2)
		var line, bars, marks strings.Builder
		for k, p := range s.points {
			px, py := x(p.Epsilon)+shift, y(p.Accuracy.Value)
			line.WriteString(map[bool]string{true: "M", false: "L"}[k == 0])
			fmt.Fprintf(&line, "%.1f %.1f", px, py)
			if h := p.Accuracy.HalfWidth; !math.IsInf(h, 0) {
				fmt.Fprintf(&bars, "M%.1f %.1fV%.1f", px, y(p.Accuracy.Value-h), y(p.Accuracy.Value+h))
			}
			marks.WriteString(mark(index, s.method.Name == "amp", px, py))
			right = px
		}
		fmt.Fprintf(b, `<path class="line" d="%s"/><path class="bar" d="%s"/>%s`, line.String(), bars.String(), marks.String())
	}
	at := math.Min(y(end.Accuracy.Value), plotTop+innerHeight)
	edge := plotLeft + innerWidth
	fmt.Fprintf(
		b,
		`</g><path class="lead" d="M%.1f %.1fL%g %.1fh6"/><text x="%g" y="%.1f">%s</text></g>`+"\n",
		right+5,
		at,
		edge+14,
		nameAt,
		edge+25,
		nameAt+4.5,
		html.EscapeString(title),
	)
}

// mark tells lines of one colour apart.
func mark(index int, full bool, x, y float64) string {
	class, r := "hollow", markRadius
	if full {
		class = "full"
	}
	switch index % 4 {
	case 0:
		return fmt.Sprintf(`<circle class="%s" cx="%.1f" cy="%.1f" r="%g"/>`, class, x, y, r)
	case 1:
		return fmt.Sprintf(
			`<path class="%s" d="M%.1f %.1fh%gv%gh-%[4]gz"/>`,
			class,
			x-r,
			y-r,
			2*r,
			2*r,
		)
	case 2:
		return fmt.Sprintf(
			`<path class="%s" d="M%.1f %.1fl%g %gh-%gz"/>`,
			class,
			x,
			y-r-0.6,
			r+0.6,
			2*r,
			2*r+1.2,
		)
	}
	return fmt.Sprintf(
		`<path class="%s" d="M%.1f %.1fl%g %[4]gl-%[4]g %[4]gl-%[4]g -%[4]gz"/>`,
		class,
		x,
		y-r-1,
		r+1,
	)
}

func familyClass(family string) string {
	switch family {
	case lab.FamilyObjective:
		return "objective"
	case lab.FamilySGD:
		return "sgd"
	case lab.FamilyDescent:
		return "gd"
	case lab.FamilyOutput:
		return "output"
	}
	return "plain"
}
