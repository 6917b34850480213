package data

import (
	"strings"
	"unicode/utf8"
)

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
			return nil, &Error{Kind: DuplicateName, Column: name, Problem: "two columns of the file have this name",
				Want: "Rename or remove one of them"}
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
	err := &Error{Kind: NoColumn, Column: name, Problem: "the file has no column of this name; it has " + list(names, 10),
		Want: "The first row must name the columns as the schema does, letter for letter"}
	for _, other := range names {
		if strings.EqualFold(other, name) {
			err.Want = "It has " + quoted(other) + ": capital and small letters must be the same as in the schema"
			return err
		}
		if !utf8.ValidString(other) {
			err.Want = notUTF8
		}
	}
	if len(names) == 1 {
		err.Want = "It seems to have one column only: the fields of a record must be separated by a comma, a semicolon, a tab or a bar"
	}
	return err
}

const notUTF8 = `The text is not UTF-8: save the file as "CSV UTF-8"`
