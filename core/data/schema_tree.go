package data

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxSchemaBytes = 16 << 20
	maxSchemaDepth = 16
)

// parseTree reads JSON into a plain tree more strictly than encoding/json
// does: a name given twice in an object, text that is not UTF-8, a number
// that no double holds, and anything after the end are errors.
func parseTree(text []byte) (any, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(text) > maxSchemaBytes {
		return nil, &SchemaError{"the schema", "has " + strconv.Itoa(len(text)) + " bytes", "at most " + strconv.Itoa(maxSchemaBytes)}
	}
	if !utf8.Valid(text) {
		return nil, &SchemaError{"the schema", "is not UTF-8 text", "saved as UTF-8"}
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	tree, err := readTree(dec, "", 0)
	if err == nil {
		end := dec.InputOffset()
		if _, extra := dec.Token(); extra != io.EOF {
			err = &SchemaError{"the schema", "has text after its closing brace, at " + position(text, end), "one JSON object and nothing else"}
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
	return nil, &SchemaError{"the schema", "is not JSON (" + problem + ", at " + position(text, dec.InputOffset()) + ")", "a JSON object as the documentation has it"}
}

func readTree(dec *json.Decoder, path string, depth int) (any, error) {
	if depth > maxSchemaDepth {
		return nil, &SchemaError{path, "is nested too deeply", "as the documentation has it"}
	}
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return readObject(dec, path, depth)
		}
		return readList(dec, path, depth)
	case json.Number:
		x, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, &SchemaError{path, "is " + shorten(string(v)), "a number below 1.8e308"}
		}
		return x, nil
	}
	return token, nil
}

func readObject(dec *json.Decoder, path string, depth int) (any, error) {
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
		if object[name], err = readTree(dec, at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := dec.Token()
	return object, err
}

func readList(dec *json.Decoder, path string, depth int) (any, error) {
	list := []any{}
	for dec.More() {
		item, err := readTree(dec, path+"["+strconv.Itoa(len(list))+"]", depth+1)
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
