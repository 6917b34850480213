package data

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// nameColumns takes the first line's fields for the names of the columns. Where there is no
// header only a column's place says which it is: so no name that the holder gives is for one
// beyond the last, and all parts have as many columns.
func (s *scanner) nameColumns() *Error {
	before := s.names
	s.names = make([]string, len(s.fields))
	for i, f := range s.fields {
		s.names[i] = string(s.buffer[f.start:f.end])
		if s.header == HeaderNone {
			s.names[i] = nameFor(i, s.called)
		}
	}
	have := len(s.fields)
	switch {
	case s.header != HeaderNone:
	case before != nil && len(before) != have:
		return &Error{
			Kind: Ragged, Row: s.line,
			Problem: "the record has " + count(have, "field") + ", those of the part before have " +
				strconv.Itoa(len(before)),
			Want: "Parts without a header have the same columns in the same order",
		}
	default:
		for _, name := range s.called[min(have, len(s.called)):] {
			if name != "" {
				return &Error{
					Kind: NoColumn, Column: name,
					Problem: "the file has " + count(have, "column") + ", and " +
						strconv.Itoa(len(s.called)) + " are named",
					Want: "Say where in the file each column stands",
				}
			}
		}
	}
	return nil
}

// nameFor is what column i of a file without a header is called, if called are the names that its
// holder gives.
func nameFor(i int, called []string) string {
	switch {
	case called == nil:
		return "c" + strconv.Itoa(i+1)
	case i < len(called):
		return called[i]
	}
	return ""
}

// asHeaderless has the error about a column that is not there tell what to do about a file
// without a header.
func asHeaderless(err *Error, header Header) *Error {
	if err != nil && err.Kind == NoColumn && header == HeaderNone {
		err.Row = 0
		err.Want = "The file has no header: say where in it this column stands"
	}
	return err
}

// locate finds the schema's columns in a header.
func locate(s *Schema, names []string) ([]target, *Error) {
	feature := make(map[string]int, len(s.Features)+1)
	for k := range s.Features {
		feature[s.Features[k].Name] = k
	}
	feature[s.Label.Name] = len(s.Features)
	var columns []target
	seen := make(map[string]bool, len(feature))
	for i, name := range names {
		k, used := feature[name]
		if !used {
			continue
		}
		if seen[name] {
			return nil, &Error{
				Kind:    DuplicateName,
				Column:  name,
				Problem: "two columns of the file have this name",
				Want:    "Rename or remove one of them",
			}
		}
		seen[name] = true
		columns = append(columns, target{i, k})
	}
	for k := range s.Features {
		if !seen[s.Features[k].Name] {
			return nil, noColumn(s.Features[k].Name, names)
		}
	}
	if !seen[s.Label.Name] {
		return nil, noColumn(s.Label.Name, names)
	}
	return columns, nil
}

func noColumn(name string, names []string) *Error {
	err := &Error{
		Kind:    NoColumn,
		Column:  name,
		Problem: "the file has no column of this name; it has " + list(names, 10),
		Want:    "The first row must name the columns as the schema does, letter for letter",
	}
	for _, other := range names {
		if strings.EqualFold(other, name) {
			err.Want = "It has " + quoted(other) +
				": capital and small letters must be the same as in the schema"
			return err
		}
		if !utf8.ValidString(other) {
			err.Want = notUTF8
		}
	}
	if len(names) == 1 {
		err.Want = "It seems to have one column only: the fields of a record must be separated by a comma, a semicolon, a tab, a bar or spaces"
	}
	return err
}

const notUTF8 = `The text is not UTF-8: save the file as "CSV UTF-8"`
