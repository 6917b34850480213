package data

import (
	"bytes"
	"strings"
)

// sniff returns an error if the beginning of a file is that of something
// which people take for CSV, or is not text at all.
func sniff(head []byte) *Error {
	const export = "Open it in the program that made it and save it as CSV (UTF-8)"
	for _, known := range []struct{ magic, what string }{
		{"PK\x03\x04", "a zip file, such as an Excel workbook (.xlsx)"},
		{"\xd0\xcf\x11\xe0", "an old Office document, such as an Excel workbook (.xls)"},
		{"%PDF-", "a PDF"},
		{"\x1f\x8b", "compressed (gzip)"},
		{"PAR1\x15", "a Parquet file"},
		{"SQLite format 3\x00", "an SQLite database"},
		{"{\\rtf", "an RTF document"},
		{"\x89HDF", "an HDF5 file"},
		{"<?xml", "XML"},
		{"<!doctype", "a web page"},
		{"<html", "a web page"},
	} {
		if len(head) >= len(known.magic) &&
			strings.EqualFold(string(head[:len(known.magic)]), known.magic) {
			return &Error{
				Kind:    NotCSV,
				Problem: "this is not a CSV file: it is " + known.what,
				Want:    export,
			}
		}
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) ||
		wide(head) {
		return &Error{
			Kind:    NotUTF8,
			Problem: `this file is UTF-16 text (what Excel calls "Unicode text")`,
			Want:    `Save it as "CSV UTF-8"`,
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return &Error{
			Kind:    NotCSV,
			Problem: "this is not a CSV file: it holds binary data",
			Want:    "Choose a text file with one record a line and a header row",
		}
	}
	if rest := bytes.TrimLeft(head, " \t\r\n"); len(rest) > 0 {
		after := bytes.TrimLeft(rest[1:], " \t\r\n")
		if len(after) > 0 && (rest[0] == '{' && after[0] == '"' ||
			rest[0] == '[' && (after[0] == '{' || after[0] == '[')) {
			return &Error{
				Kind:    NotCSV,
				Problem: "this is not a CSV file: it looks like JSON",
				Want:    export,
			}
		}
	}
	return nil
}

// wide reports whether text without a byte order mark has a NUL in every
// second byte, as European text in UTF-16 has.
func wide(head []byte) bool {
	head = head[:min(len(head), 64)]
	zeros := [2]int{}
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	return half > 0 && (zeros[0] == 0 && zeros[1] >= half || zeros[1] == 0 && zeros[0] >= half)
}
