// Package mutated changes documents as text: it gives a number other digits, leaves a member out or
// says it twice, writes a name in letters that look alike. Use it in the test of a reader of files,
// to ask that what somebody changed is refused or harmless. Only tests may import it.
package mutated

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// Node is a part of a document as it is written: with the digits of its numbers, the escapes of
// its names, and the order and the repetitions of its members.
type Node struct {
	text  string // of a number, a string or a word
	open  string // "{" or "[" of what has parts
	names []string
	parts []*Node
}

// Parse reads a document.
func Parse(t testing.TB, text []byte) *Node {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return parse(t, d)
}

func parse(t testing.TB, d *json.Decoder) *Node {
	t.Helper()
	token, err := d.Token()
	require.NoError(t, err)
	delim, is := token.(json.Delim)
	if !is {
		if number, is := token.(json.Number); is {
			return &Node{text: number.String()}
		}
		text, err := json.Marshal(token)
		require.NoError(t, err)
		return &Node{text: string(text)}
	}
	n := &Node{open: delim.String()}
	for d.More() {
		if n.open == "{" {
			name, err := d.Token()
			require.NoError(t, err)
			text, err := json.Marshal(name)
			require.NoError(t, err)
			n.names = append(n.names, string(text))
		}
		n.parts = append(n.parts, parse(t, d))
	}
	_, err = d.Token()
	require.NoError(t, err)
	return n
}

// String is the document's text.
func (n *Node) String() string {
	var out strings.Builder
	n.write(&out)
	return out.String()
}

func (n *Node) write(out *strings.Builder) {
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

// Set gives every member of that name, in the document's own level, another text.
func (n *Node) Set(name, text string) {
	for k, part := range n.parts {
		if n.open == "{" && n.names[k] == strconv.Quote(name) {
			*part = Node{text: text}
		}
	}
}

// all lists the nodes, those with parts apart.
func (n *Node) all(leaves, inner []*Node) ([]*Node, []*Node) {
	if n.open == "" {
		return append(leaves, n), inner
	}
	inner = append(inner, n)
	for _, part := range n.parts {
		leaves, inner = part.all(leaves, inner)
	}
	return leaves, inner
}

// Clone is a copy that shares nothing.
func (n *Node) Clone() *Node {
	c := *n
	c.names, c.parts = append([]string(nil), n.names...), nil
	for _, part := range n.parts {
		c.parts = append(c.parts, part.Clone())
	}
	return &c
}

// Mutator changes the text of a document, by numbers that it draws.
type Mutator struct{ Source *randomtest.Seeded }

func (m Mutator) below(n int) int {
	bits, _ := m.Source.Uint64() // the seeded source does not fail
	return int(bits % uint64(n))
}

// Names that look like others, or that some readers take for them.
var lookalikes = strings.NewReplacer("a", "а", "e", "е", "o", "о", "i", "ı", "s", "ѕ")

// number is another number in a number's place, or something that is near one.
func (m Mutator) number(text string) string {
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

// Mutate changes one or two things, and says which.
func (m Mutator) Mutate(root *Node) (what string) {
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
			again := at.parts[k].Clone()
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
				at.parts[k] = other.parts[m.below(len(other.parts))].Clone()
				what += " something of elsewhere"
			}
		}
	}
	return what
}
