package figures

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Point is one of a line.
type Point struct{ X, Y float64 }

// Line is a system's points, in the order of X.
type Line struct {
	Name   string
	Points []Point
}

// Plot has both axes logarithmic, and each line's name where it ends. It has eight colours.
type Plot struct {
	Title, X, Y string
	Lines       []Line

	// Base is a level that is drawn dashed, with its name; none if 0.
	Base     float64
	BaseName string
}

const (
	plotWidth, plotHeight = 820.0, 440.0
	plotLeft, plotRight   = 70.0, 230.0
	plotTop, plotBottom   = 50.0, 56.0
	labelGap              = 17.0
)

const plotStyle = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
.title { font-size: 17px; font-weight: 600 }
.tick { fill: #57606a; font-variant-numeric: tabular-nums }
.ground { fill: #ffffff } .grid { stroke: #d8dee4 } .base { stroke: #8c959f; stroke-dasharray: 2 4 }
.line { fill: none; stroke: var(--ink); stroke-width: 2; stroke-linejoin: round }
.dot { fill: var(--ink) } .name { fill: var(--ink) }
.l0 { --ink: #57606a } .l1 { --ink: #b3470a } .l2 { --ink: #0b57b8 } .l3 { --ink: #7d3aa3 } .l4 { --ink: #11795a }
.l5 { --ink: #a40e4c } .l6 { --ink: #7a5c00 } .l7 { --ink: #007a87 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .tick { fill: #9198a1 } .ground { fill: #0d1117 } .grid { stroke: #2a313a }
  .l0 { --ink: #9198a1 } .l1 { --ink: #f0a35e } .l2 { --ink: #79b8ff } .l3 { --ink: #d2a8ff } .l4 { --ink: #56d4a4 }
  .l5 { --ink: #ff9bc0 } .l6 { --ink: #e0c15a } .l7 { --ink: #5ed3df }
}
`

// SVG is the plot as a picture, light or dark as the page is.
func (p Plot) SVG() string {
	var all []Point
	for _, l := range p.Lines {
		all = append(all, l.Points...)
	}
	if p.Base > 0 && len(all) > 0 {
		all = append(all, Point{all[0].X, p.Base})
	}
	x := newScale(all, func(q Point) float64 { return q.X }, plotLeft, plotWidth-plotRight)
	y := newScale(all, func(q Point) float64 { return q.Y }, plotHeight-plotBottom, plotTop)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%[1]g" height="%[2]g" role="img" aria-label="%s">`,
		plotWidth, plotHeight, html.EscapeString(p.Title+": "+p.Y+" over "+p.X))
	fmt.Fprintf(&b, "<style>%s</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n", plotStyle)
	write := func(class string, x, y float64, anchor, s string) {
		fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n",
			class, x, y, anchor, html.EscapeString(s))
	}
	write("title", plotLeft, 26, "start", p.Title)
	write("tick", plotLeft, 44, "start", p.Y)
	write("tick", (plotLeft+plotWidth-plotRight)/2, plotHeight-12, "middle", p.X)
	for _, v := range y.ticks() {
		fmt.Fprintf(&b, `<path class="grid" d="M%g %.1fH%g"/>`+"\n", plotLeft, y.at(v), plotWidth-plotRight)
		write("tick", plotLeft-8, y.at(v)+4, "end", Number(v))
	}
	for _, v := range x.ticks() {
		write("tick", x.at(v), plotHeight-plotBottom+20, "middle", Number(v))
	}
	if p.Base > 0 {
		fmt.Fprintf(&b, `<path class="base" d="M%g %.1fH%g"/>`+"\n", plotLeft, y.at(p.Base), plotWidth-plotRight)
		write("tick", plotLeft+4, y.at(p.Base)-5, "start", p.BaseName)
	}
	ends := p.ends(y)
	for i, l := range p.Lines {
		if len(l.Points) == 0 {
			continue
		}
		fmt.Fprintf(&b, `<g class="l%d">`, i)
		var path strings.Builder
		for k, q := range l.Points {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(k, 1)], x.at(q.X), y.at(q.Y))
			fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="%.1f" r="3"/>`, x.at(q.X), y.at(q.Y))
		}
		fmt.Fprintf(&b, `<path class="line" d="%s"/>`, path.String())
		write("name", plotWidth-plotRight+12, ends[i]+4, "start", l.Name)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// ends is where each line's name stands: where the line ends at the right, moved down as far as
// the names above it need.
func (p Plot) ends(y scale) []float64 {
	order := make([]int, 0, len(p.Lines))
	out := make([]float64, len(p.Lines))
	for i, l := range p.Lines {
		if len(l.Points) == 0 {
			continue
		}
		order = append(order, i)
		last := slices.MaxFunc(l.Points, func(a, b Point) int {
			return int(math.Copysign(1, a.X-b.X))
		})
		out[i] = y.at(last.Y)
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, out[a]-out[b])) })
	for k := 1; k < len(order); k++ {
		out[order[k]] = math.Max(out[order[k]], out[order[k-1]]+labelGap)
	}
	if n := len(order); n > 0 {
		// Names that would leave the picture at the bottom push the others up.
		limit := plotHeight - plotBottom + 10
		for k := n - 1; k >= 0; k-- {
			out[order[k]] = math.Min(out[order[k]], limit)
			limit = out[order[k]] - labelGap
		}
	}
	return out
}

// scale maps logarithms from least to most to pixels.
type scale struct{ least, most, from, to float64 }

func newScale(all []Point, of func(Point) float64, from, to float64) scale {
	least, most := math.Inf(1), math.Inf(-1)
	for _, q := range all {
		least, most = math.Min(least, of(q)), math.Max(most, of(q))
	}
	if !(least > 0 && most > least) {
		least, most = 0.5, 2
	}
	return scale{math.Log10(least), math.Log10(most), from, to}
}

func (s scale) at(v float64) float64 {
	return s.from + (math.Log10(v)-s.least)/(s.most-s.least)*(s.to-s.from)
}

// ticks are 1, 2 and 5 times powers of ten, fewer where the range is wide.
func (s scale) ticks() []float64 {
	digits, step := []float64{1, 2, 5}, 1
	if wide := s.most - s.least; wide > 2.5 {
		digits, step = digits[:1], max(1, int(wide/6))
	}
	var out []float64
	for e := int(math.Floor(s.least)); e <= int(math.Ceil(s.most)); e += step {
		for _, d := range digits {
			v := d * math.Pow(10, float64(e))
			if at := math.Log10(v); at >= s.least-1e-9 && at <= s.most+1e-9 {
				out = append(out, v)
			}
		}
	}
	return out
}

// Number is a number to six digits.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
