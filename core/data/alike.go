package data

import (
	"strconv"
	"strings"
)

// Alike are pairs of different names in the schema that look the same: of columns, of one
// feature's categories, of the label's classes. People go by what they see, and programs by what
// is there. Not seen are invisible characters, kinds of spaces, and that a letter is the Greek or
// Cyrillic one of its shape.
//
// Files have such names by accident, too ("yes" with and without a no-break space), so
// that they are no error. Whoever shows a schema says that they are there.
func (s *Schema) Alike() (pairs [][2]string) {
	among := func(names []string) {
		first := make(map[string]string, len(names))
		for _, name := range names {
			look := strings.Map(sameShape, seenAs(name))
			if other, found := first[look]; found && other != name {
				pairs = append(pairs, [2]string{other, name})
			} else {
				first[look] = name
			}
		}
	}
	columns := []string{s.Label.Name}
	for i := range s.Features {
		columns = append(columns, s.Features[i].Name)
	}
	among(columns)
	for i := range s.Features {
		among(s.Features[i].Categories)
	}
	var spellings []string
	for _, class := range s.Label.classes() {
		spellings = append(spellings, class...)
	}
	among(spellings)
	return pairs
}

// Alike is [Schema.Alike] of the attributes, of their values, and of the label.
func (s *CellSchema) Alike() [][2]string { return s.columns().Alike() }

// AlikeText says in plain words which names look alike; "" if there are none. It names no
// more than three pairs.
func AlikeText(pairs [][2]string) string {
	if len(pairs) == 0 {
		return ""
	}
	text := "Different names look alike here:"
	for k, pair := range pairs[:min(3, len(pairs))] {
		if k > 0 {
			text += ";"
		}
		text += " " + strconv.QuoteToASCII(shorten(pair[0])) + " and " +
			strconv.QuoteToASCII(shorten(pair[1]))
	}
	return text + ". Which of them is meant is not seen on a page or in print."
}

// sameShape is the Latin letter that is drawn as this one is, if there is one.
func sameShape(r rune) rune {
	const (
		others = "АВЕЅІЈКМНОРСТУХасеѕіјорухԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
		latin  = "ABESIJKMHOPCTYXacesijopyxdhABEZHIKMNOPTYXo"
	)
	k := 0
	for _, other := range others {
		if r == other {
			return rune(latin[k])
		}
		k++
	}
	return r
}
