package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A node is a part of a document as it is written: with the digits of its numbers, the escapes of
// its names, and the order and the repetitions of its members.
type node struct {
	text  string // of a number, a string or a word
	open  string // "{" or "[" of what has parts
	names []string
	parts []*node
}

func parseNode(t *testing.T, d *json.Decoder) *node {
	t.Helper()
	token, err := d.Token()
	require.NoError(t, err)
	delim, is := token.(json.Delim)
	if !is {
		if number, is := token.(json.Number); is {
			return &node{text: number.String()}
		}
		text, err := json.Marshal(token)
		require.NoError(t, err)
		return &node{text: string(text)}
	}
	n := &node{open: delim.String()}
	for d.More() {
		if n.open == "{" {
			name, err := d.Token()
			require.NoError(t, err)
			text, err := json.Marshal(name)
			require.NoError(t, err)
			n.names = append(n.names, string(text))
		}
		n.parts = append(n.parts, parseNode(t, d))
	}
	_, err = d.Token()
	require.NoError(t, err)
	return n
}

func (n *node) write(out *strings.Builder) {
	if n.open == "" {
		out.WriteString(n.text)
		return
	}
	out.WriteString(n.open)
	for k, part := range n.parts {
		if k > 0 {
			out.WriteByte(',')
		}
		if n.open == "{" {
			out.WriteString(n.names[k] + ":")
		}
		part.write(out)
	}
	out.WriteString(map[string]string{"{": "}", "[": "]"}[n.open])
}

// all lists the nodes, those with parts apart.
func (n *node) all(leaves, inner []*node) ([]*node, []*node) {
	if n.open == "" {
		return append(leaves, n), inner
	}
	inner = append(inner, n)
	for _, part := range n.parts {
		leaves, inner = part.all(leaves, inner)
	}
	return leaves, inner
}

func (n *node) clone() *node {
	c := *n
	c.names, c.parts = append([]string(nil), n.names...), nil
	for _, part := range n.parts {
		c.parts = append(c.parts, part.clone())
	}
	return &c
}

// mutator changes the text of a document.
type mutator struct{ source *randomtest.Seeded }

func (m mutator) below(n int) int {
	bits, _ := m.source.Uint64() // the seeded source does not fail
	return int(bits % uint64(n))
}

// Names that look like others, or that some readers take for them.
var lookalikes = strings.NewReplacer("a", "а", "e", "е", "o", "о", "i", "ı", "s", "ѕ")

// number is another number in a number's place, or something that is near one.
func (m mutator) number(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	write := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch m.below(12) {
	case 0:
		return write(math.Nextafter(x, math.Inf(1)))
	case 1:
		return write(math.Nextafter(x, math.Inf(-1)))
	case 2:
		return write(-x)
	case 3:
		return text + "e1"
	case 4:
		return text + "e-1"
	case 5:
		return text + "e-320" // a denormal number
	case 6:
		return text + "e400"
	case 7:
		return []string{"0", "-0", "5e-324", "1.7976931348623157e308", "NaN", "null", "1_0"}[m.below(7)]
	case 8:
		return write(x * (1 + 1e-9))
	case 9:
		return write(x / 2)
	case 10:
		return `"` + text + `"`
	}
	return write(x * 2)
}

// mutate changes one or two things, and says which.
func (m mutator) mutate(root *node) (what string) {
	for range 1 + m.below(2) {
		leaves, inner := root.all(nil, nil)
		at := inner[m.below(len(inner))]
		if len(at.parts) == 0 {
			continue
		}
		k := m.below(len(at.parts))
		switch m.below(9) {
		case 0, 1, 2:
			leaf := leaves[m.below(len(leaves))]
			before := leaf.text
			leaf.text = m.number(before)
			what += fmt.Sprintf(" %s→%s", before, leaf.text)
		case 3: // left out
			if at.open == "{" {
				what += " without " + at.names[k]
				at.names = append(at.names[:k:k], at.names[k+1:]...)
			} else {
				what += " without an entry"
			}
			at.parts = append(at.parts[:k:k], at.parts[k+1:]...)
		case 4: // given twice, with another value the second time
			again := at.parts[k].clone()
			if few, _ := again.all(nil, nil); len(few) > 0 {
				leaf := few[m.below(len(few))]
				leaf.text = m.number(leaf.text)
			}
			what += " something twice"
			if at.open == "{" {
				what += ": " + at.names[k]
				at.names = append(at.names, at.names[k])
			}
			at.parts = append(at.parts, again)
		case 5: // a name in other letters
			if at.open == "{" {
				what += " renamed " + at.names[k]
				at.names[k] = []func(string) string{
					lookalikes.Replace, strings.ToUpper,
					func(s string) string { return `"` + "\u200b" + s[1:] },
				}[m.below(3)](at.names[k])
			}
		case 6: // two parts change places
			j := m.below(len(at.parts))
			at.parts[j], at.parts[k] = at.parts[k], at.parts[j]
			what += fmt.Sprintf(" exchanged %d and %d", j, k)
		case 7: // words
			leaf := leaves[m.below(len(leaves))]
			from := leaf.text
			for _, pair := range [][2]string{
				{`"add-remove"`, `"replace-one"`}, {`"gaussian"`, `"laplace"`},
				{`"logistic"`, `"glm"`}, {`"auto"`, `"rdp"`}, {"true", "false"},
			} {
				if from == pair[0] {
					leaf.text = pair[1]
				} else if from == pair[1] {
					leaf.text = pair[0]
				}
			}
			if leaf.text == from && strings.HasPrefix(from, `"`) {
				leaf.text = lookalikes.Replace(from)
			}
			what += fmt.Sprintf(" %s→%s", from, leaf.text)
		case 8: // one part in another's place, of the whole document
			other := inner[m.below(len(inner))]
			if len(other.parts) > 0 {
				at.parts[k] = other.parts[m.below(len(other.parts))].clone()
				what += " something of elsewhere"
			}
		}
	}
	return what
}

// leastDelta is δ of one Gaussian sum that the release holds whatever else it does, by the numbers
// of its event alone, at an ε: Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), written down apart from the
// accountant; 0 where nothing so plain is known.
func leastDelta(r *learn.Release, epsilon float64) float64 {
	var square func(event privacy.Event) float64
	square = func(event privacy.Event) float64 {
		switch e := event.(type) {
		case privacy.Gaussian:
			return e.Sensitivity / e.Sigma * (e.Sensitivity / e.Sigma)
		case privacy.GradientDescent:
			total := 0.0
			for _, sigma := range e.Sigmas {
				total += e.Sensitivity / sigma * (e.Sensitivity / sigma)
			}
			return total
		case privacy.Composition:
			total := 0.0
			for _, part := range e.Parts {
				total += float64(part.Count) * square(part.Event)
			}
			return total
		}
		return 0
	}
	mu := math.Sqrt(square(r.Event))
	if mu == 0 {
		return 0
	}
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	return normal(mu/2-epsilon/mu) - math.Exp(epsilon)*normal(-mu/2-epsilon/mu)
}

// unproved says in which way a changed release claims more than its own numbers prove, by nothing
// of what Verify goes by; "" if it does not. before is the file that was changed.
func unproved(r, before *learn.Release) string {
	g := r.Guarantee
	if bad := unfit(r); bad != "" {
		return bad
	}
	if leastDelta(r, g.Epsilon) > g.Delta*(1+1e-6) {
		return "a Gaussian sum alone costs more"
	}
	// What was calibrated to an ε has it to less than a hundredth.
	if assert.ObjectsAreEqual(r.Event, before.Event) && g.Delta <= before.Guarantee.Delta &&
		g.Epsilon < 0.99*before.Guarantee.Epsilon && g.Method == before.Guarantee.Method {
		return "the same event costs more"
	}
	return ""
}

// A release that somebody has changed, as text, in one place or two, is refused, or a finding says
// what is not true, or what it claims is no more than what its own numbers prove: its event is
// that of a mechanism which gives out such a model, and costs what is claimed. What an event costs
// is known here, apart from the accountant, of sums with Gaussian noise alone. Of others it is only
// asked that the very event of the file is not claimed for less.
func TestAChangedTextClaimsNothingThatItsNumbersDoNotProve(t *testing.T) {
	m := mutator{randomtest.New(12)}
	each := 60
	switch {
	case os.Getenv("CLOISTER_AUDIT") == "long":
		each = 3000
	case testing.Short():
		each = 15
	}
	changed, refused, found, caught, believed := 0, 0, 0, 0, 0
	for _, file := range releasesToForge(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		before, err := learn.ParseRelease(text)
		require.NoError(t, err)
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		root := parseNode(t, d)
		var whole strings.Builder
		root.write(&whole)
		for range each {
			copied := root.clone()
			what := filepath.Base(file) + ":" + m.mutate(copied)
			var out strings.Builder
			copied.write(&out)
			if out.String() == whole.String() {
				continue
			}
			changed++
			r, err := learn.ParseRelease([]byte(out.String()))
			if err != nil {
				refused++
				continue
			}
			failed := falseAnyway(r) // which asks for no price, that may take seconds
			if !failed {
				_, failed = r.Verify().Failed()
			}
			if failed {
				if found++; unproved(r, before) != "" {
					caught++
				}
				continue
			}
			believed++
			// What was read is what is written: there is no second reading of the text.
			written, err := json.Marshal(r)
			require.NoError(t, err, what)
			again, err := learn.ParseRelease(written)
			require.NoError(t, err, what)
			assert.Equal(t, r, again, what)
			assert.Empty(t, unproved(r, before), what)
		}
	}
	t.Logf("%d changed texts: %d refused, %d found out (%d without Verify), %d believed",
		changed, refused, found, caught, believed)
	assert.Greater(t, refused, changed/4)
	assert.Positive(t, caught, "a Verify that believes everything would not be noticed")
	assert.Positive(t, believed)
}
