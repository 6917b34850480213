package data

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxSchemaBytes   = 16 << 20
	maxSchemaDepth   = 16
	maxDocumentBytes = 256 << 20
	maxDocumentDepth = 64
)

// parseTree reads a schema's JSON into a plain tree.
func parseTree(text []byte) (any, error) {
	return treeReader{"the schema", maxSchemaBytes, maxSchemaDepth}.read(text)
}

// ParseJSON reads JSON into a plain tree (map[string]any, []any, string,
// float64, bool, nil) more strictly than encoding/json does: a name given twice
// in an object, text that is not UTF-8, a number that no double holds, and
// anything after the end are errors. Those are of type *SchemaError and call
// the document what.
func ParseJSON(what string, text []byte) (any, error) {
	return treeReader{what, maxDocumentBytes, maxDocumentDepth}.read(text)
}

// treeReader reads one JSON document.
type treeReader struct {
	what  string // in errors
	bytes int    // the most that it may have
	depth int    // the most that it may be nested
}

func (r treeReader) read(text []byte) (any, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(text) > r.bytes {
		return nil, &SchemaError{
			r.what,
			"has " + strconv.Itoa(len(text)) + " bytes",
			"at most " + strconv.Itoa(r.bytes),
		}
	}
	if !utf8.Valid(text) {
		return nil, &SchemaError{r.what, "is not UTF-8 text", "saved as UTF-8"}
	}
	if at := halfCharacter(text); at >= 0 {
		return nil, &SchemaError{
			r.what,
			"has an escape for half of a character, at " + position(text, int64(at)),
			"text: both halves, or none",
		}
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	tree, err := r.value(dec, "", 0)
	if err == nil {
		end := dec.InputOffset()
		if _, extra := dec.Token(); extra != io.EOF {
			err = &SchemaError{
				r.what,
				"has text after its closing brace, at " + position(text, end),
				"one JSON object and nothing else",
			}
		}
	}
	if err == nil {
		return tree, nil
	}
	if _, ours := err.(*SchemaError); ours {
		return nil, err
	}
	problem := strings.TrimPrefix(err.Error(), "json: ")
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		problem = "it ends too early"
	}
	return nil, &SchemaError{
		r.what,
		"is not JSON (" + problem + ", at " + position(text, dec.InputOffset()) + ")",
		"a JSON object as the documentation has it",
	}
}

// halfCharacter is where a JSON text has an escape for one half of a surrogate pair without the
// other; -1 if it has none. Such a text is no Unicode: package json takes U+FFFD for it, and
// JavaScript what stands there, so that two names here were one there.
func halfCharacter(text []byte) int {
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], '\\')
		if next < 0 {
			return -1
		}
		at += next
		first, second := escaped(text, at), escaped(text, at+6)
		switch {
		case !utf16.IsSurrogate(first):
			at += 2
		case utf16.DecodeRune(first, second) == utf8.RuneError:
			return at
		default:
			at += 12
		}
		if at >= len(text) {
			return -1
		}
	}
}

// escaped is the unit of UTF-16 that an escape there stands for; 0 if there is none.
func escaped(text []byte, at int) rune {
	if len(text) < at+6 || text[at] != '\\' || text[at+1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

func (r treeReader) value(dec *json.Decoder, path string, depth int) (any, error) {
	if depth > r.depth {
		return nil, &SchemaError{path, "is nested too deeply", "as the documentation has it"}
	}
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return r.object(dec, path, depth)
		}
		return r.list(dec, path, depth)
	case json.Number:
		x, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, &SchemaError{path, "is " + shorten(string(v)), "a number below 1.8e308"}
		}
		return x, nil
	}
	return token, nil
}

func (r treeReader) object(dec *json.Decoder, path string, depth int) (any, error) {
	object := map[string]any{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string) // the decoder lets nothing else stand here
		at := name
		if path != "" {
			at = path + "." + name
		}
		if _, dup := object[name]; dup {
			return nil, &SchemaError{at, "is given twice", "given once"}
		}
		if object[name], err = r.value(dec, at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := dec.Token()
	return object, err
}

func (r treeReader) list(dec *json.Decoder, path string, depth int) (any, error) {
	list := []any{}
	for dec.More() {
		item, err := r.value(dec, path+"["+strconv.Itoa(len(list))+"]", depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	_, err := dec.Token()
	return list, err
}

// position is the place, as people count it, of what stands after the token
// that ends at a byte.
func position(text []byte, offset int64) string {
	at := min(int(offset), len(text))
	for at < len(text) && strings.IndexByte(" \t\r\n:,", text[at]) >= 0 {
		at++
	}
	line := bytes.Count(text[:at], []byte("\n")) + 1
	column := utf8.RuneCount(text[bytes.LastIndexByte(text[:at], '\n')+1:at]) + 1
	return "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column)
}
