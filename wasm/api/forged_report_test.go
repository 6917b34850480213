package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
	"cloister/core/report"
	"cloister/core/solve"
	"cloister/core/special"
)

// sections are what a report may have released.
var sections = []string{"gradient", "hessian", "least", "scores"}

// moved is a list of numbers times by, on the lattice of noise sigma.
func moved(list []any, by, sigma float64) []any {
	_, exponent := math.Frexp(sigma / (1 << 26))
	grid := math.Ldexp(0.5, exponent)
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = math.Round(x.(float64)*by/grid) * grid
	}
	return out
}

// forgeReport changes a report in a way that is no accident: sections with their noise, their
// numbers or both, on the lattice that the noise has.
func forgeReport(number func(int) int, tree map[string]any) (says string) {
	factor := math.Exp2(float64(number(121)-60) / float64(1+number(8)))
	name := sections[number(len(sections))]
	one, is := tree[name].(map[string]any)
	of := func(members map[string]any, numbers, noise float64) {
		sigma := members["sigma"].(float64) * noise
		members["sigma"] = sigma
		for _, member := range []string{"values", "rest"} {
			if list, is := members[member].([]any); is {
				members[member] = moved(list, numbers, sigma)
			}
		}
		if least, is := members["value"].(float64); is {
			members["value"] = moved([]any{least}, numbers, sigma)[0]
		}
	}
	switch kind := number(9); {
	case kind == 0:
		delete(tree, name)
		return name + " left out"
	case kind == 1:
		tree["rho"] = []any{1e-8, 0.5, 1e-9, 0.999}[number(4)]
		tree["people"] = float64([]int{0, 1, 1 << 40, -1}[number(4)])
		return "for others"
	case kind == 2:
		tree["version"] = float64(number(5))
		return "another version"
	case !is:
		return ""
	case kind == 3:
		of(one, factor, 1)
		return fmt.Sprintf("%s numbers by %g", name, factor)
	case kind == 4:
		of(one, 1, factor)
		return fmt.Sprintf("%s noise by %g", name, factor)
	case kind == 5:
		of(one, factor, factor)
		return fmt.Sprintf("%s by %g", name, factor)
	case kind == 6:
		of(one, -factor, 1)
		return fmt.Sprintf("%s turned round, by %g", name, factor)
	case kind == 7:
		list, is := one["values"].([]any)
		if !is {
			return ""
		}
		for range 1 + number(3) {
			k := number(len(list))
			copy(list[k:], moved(list[k:k+1], factor*float64(number(3)-1), one["sigma"].(float64)))
		}
		return fmt.Sprintf("%s here and there by %g", name, factor)
	}
	other, is := tree[sections[number(len(sections))]].(map[string]any)
	if !is || other["values"] == nil || one["values"] == nil {
		return ""
	}
	one["values"] = moved(other["values"].([]any), factor, one["sigma"].(float64))
	return name + " of another"
}

// impossible says in which way no records, noise and mechanism come to a report, or what is said of
// a loss is too little, by what each theorem needs, written down apart from package report; "" if
// none.
func impossible(
	t *testing.T, r *report.Report, m report.Mechanism, release *learn.Release, label string,
) string {
	plan, p := r.Published.Plan, r.Published
	norm := release.Schema.RowNorm()
	length := math.Min(release.Model.Clip, norm*release.Model.Loss.MaxSlope())
	curve := release.Model.Loss.MaxCurvature() * norm * norm
	event, err := plan.Event(m)
	require.NoError(t, err)
	ratios, least := 0.0, 0.0
	for _, part := range event.Parts {
		g := part.Event.(privacy.Gaussian)
		ratios += g.Sensitivity / g.Sigma * (g.Sensitivity / g.Sigma)
	}
	for _, one := range [][2]float64{
		{length, plan.Gradient}, {curve / math.Sqrt2, plan.Hessian}, {curve, plan.Least},
		{length * length / math.Sqrt2, plan.Scores},
	} {
		if one[1] > 0 {
			least += one[0] / one[1] * (one[0] / one[1])
		}
	}
	d := float64(len(m.Theta))
	for name, one := range map[string]struct {
		values       *solve.Packed
		sigma, moves float64
	}{
		"hessian": {p.Hessian, plan.Hessian, curve}, "rest": {p.Rest, plan.Hessian, curve},
		"scores": {p.Scores, plan.Scores, length * length},
	} {
		if one.values == nil {
			continue
		}
		eigen, err := solve.Decompose(one.values)
		require.NoError(t, err)
		// ‖G‖ ≤ 2√d + √2·40 but for e^-800, were the noise continuous.
		if eigen.Values[0] < -one.sigma*(2*math.Sqrt(d)+60)*2.1-one.sigma*(d+2) {
			return name + " far below nothing"
		}
		if far := math.Max(0, eigen.Values[0]) + m.Lambda - p.Least; name == "hessian" &&
			plan.Least > 0 && math.Abs(far) >
			one.sigma*(2*math.Sqrt(d)+60)*2.1+one.sigma*(d+2)+41*plan.Least+m.Lambda*1e-6 {
			return "a least eigenvalue of another matrix"
		}
		if last := eigen.Values[len(eigen.Values)-1]; last > 0x1p24*one.moves*1.01+one.sigma*200 {
			return name + " of too many records"
		}
	}
	for _, v := range p.Gradient {
		if math.Abs(v) > 41*(m.Sigma+plan.Gradient) {
			return "a gradient beyond the noise"
		}
	}
	if ratios < least*(1-1e-9) {
		return "it costs more"
	}
	reader, err := report.Open(release, r)
	require.NoError(t, err)
	for _, fields := range people {
		bound, _, err := reader.Record(release.Schema, fields, label)
		require.NoError(t, err)
		row, _, err := release.Schema.Encode(fields)
		require.NoError(t, err)
		y, err := release.Schema.EncodeLabel(label)
		require.NoError(t, err)
		size := 0.0
		for _, v := range row.Value {
			size = math.Hypot(size, v)
		}
		_, slope, _ := m.Loss.Row(size).At(row.Dot(m.Theta), y)
		noise := m.Sigma
		if plan.Gradient > 0 {
			noise = 1 / math.Hypot(1/m.Sigma, 1/plan.Gradient)
		}
		// b along the row is that uncertain, whatever was published.
		least := 2 * math.Abs(slope) * size * noise / (m.Sigma * m.Sigma) *
			-special.NormalQuantile(r.Rho/2)
		for _, at := range []report.Range{bound.In, bound.Out} {
			if !(at.High-at.Low >= least*(1-1e-9)) || math.IsInf(at.High, 0) {
				return fmt.Sprintf("a loss from %g to %g, less than %g apart", at.Low, at.High, least)
			}
		}
		if !(bound.Leverage >= 0 && bound.Report >= 0) {
			return "a bound below nothing"
		}
	}
	return ""
}

// Reports whose noise, numbers and event are changed together are believed only if records and
// noise may have come to them, at what they say they cost; and they bound no loss by less than
// anybody can know of it.
func TestReportsChangedTogetherAreFoundOutUnlessTheyFit(t *testing.T) {
	tries := 150
	if testing.Short() {
		tries = 30
	}
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		tries = 2500
	}
	source := randomtest.New(9)
	number := func(n int) int {
		x, err := source.Uint64()
		require.NoError(t, err)
		return int(x % uint64(n))
	}
	paths, err := filepath.Glob(filepath.Join(filesFolder, "reports", "*.json"))
	require.NoError(t, err)
	tried, believed := 0, 0
	for _, path := range paths {
		_, of, is := strings.Cut(filepath.Base(path), ".of-")
		if !is || strings.HasSuffix(path, ".says.json") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(filesFolder, "releases", of))
		require.NoError(t, err)
		release, err := learn.ParseRelease(text)
		require.NoError(t, err)
		m, err := report.MechanismOf(release)
		require.NoError(t, err)
		label := map[data.LabelType]string{data.TwoClasses: "yes", data.NumericLabel: "12"}
		for range tries {
			tree := read(t, path)
			says := filepath.Base(path)
			for range 1 + number(3) {
				says += "; " + forgeReport(number, tree)
			}
			sigma := func(name string) float64 {
				one, _ := tree[name].(map[string]any)
				value, _ := one["sigma"].(float64)
				return value
			}
			// The event and the kind that go with it.
			plan := report.Plan{
				Gradient: sigma("gradient"), Hessian: sigma("hessian"), Least: sigma("least"),
				Scores: sigma("scores"),
			}
			if hessian, is := tree["hessian"].(map[string]any); is && tree["version"] == 3.0 {
				plan.Rest = hessian["rest"] != nil
			}
			event, err := plan.Event(m)
			if err != nil {
				continue
			}
			tree["event"] = privacy.EncodeEvent(event)
			tree["kind"] = (&report.Report{Published: report.Published{Plan: plan}}).Kind()
			tried++
			forged, err := json.Marshal(tree)
			require.NoError(t, err)
			r, err := report.Parse(forged, release)
			if err != nil {
				continue
			}
			believed++
			assert.Empty(t, impossible(t, r, m, release, label[release.Schema.Label.Type]), says)
		}
	}
	t.Logf("%d forgeries, of which %d may be true", tried, believed)
	assert.Greater(t, believed, tried/20)
	assert.Less(t, believed, tried*9/10)
}

// A report's matrices are sums of products of rows, too: nobody is in two wards, and no product is
// below 0.
func TestReportsOfNoRowsAreFoundOut(t *testing.T) {
	text, err := os.ReadFile(
		filepath.Join(filesFolder, "releases", "reported-v1-data-dependent.json"),
	)
	require.NoError(t, err)
	release, err := learn.ParseRelease(text)
	require.NoError(t, err)
	place := map[string]int{}
	for j, column := range release.Model.Columns {
		place[column.Name] = j
	}
	path := filepath.Join(
		filesFolder, "reports", "v1-data-dependent.of-reported-v1-data-dependent.json",
	)
	for _, c := range []struct {
		a, b    string
		times   float64 // of the noise
		refused bool
	}{
		{"ward=A", "ward=B", 20, false}, {"ward=A", "ward=B", 75, true},
		{"age", "dose", -20, false}, {"age", "dose", -75, true},
	} {
		tree := read(t, path)
		hessian := tree["hessian"].(map[string]any)
		sigma, values := hessian["sigma"].(float64), hessian["values"].([]any)
		i, j := max(place[c.a], place[c.b]), min(place[c.a], place[c.b])
		copy(values[i*(i+1)/2+j:], moved([]any{sigma}, c.times, sigma))
		_, err := report.FromTree(tree, release)
		if !c.refused {
			assert.NoError(t, err, "%+v", c)
			continue
		}
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong, "%+v", c)
		assert.Equal(t, "hessian", wrong.Field)
	}
}
