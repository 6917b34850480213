// Package figures writes a report of numbers measured: a page of Markdown with its tables, and
// beside it a CSV file and a plot for each figure.
package figures

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Report is a page, as it grows.
type Report struct {
	folder, file string
	text         strings.Builder
	failed       error
}

// New begins a page of this title, to be written into a folder, which is made if it is not there.
func New(folder, file, title string) (*Report, error) {
	r := &Report{folder: folder, file: file}
	r.text.WriteString("# " + title + "\n")
	return r, os.MkdirAll(folder, 0o755)
}

// Section begins one, with what it is about; line breaks in that are spaces.
func (r *Report) Section(title, what string) {
	fmt.Fprintf(&r.text, "\n## %s\n\n%s\n", title, strings.ReplaceAll(what, "\n", " "))
}

// Paragraph adds one.
func (r *Report) Paragraph(format string, args ...any) {
	fmt.Fprintf(&r.text, "\n"+format+"\n", args...)
}

// Table adds one.
func (r *Report) Table(header []string, rows [][]string) {
	fmt.Fprintf(&r.text, "\n| %s |\n|%s\n", strings.Join(header, " | "),
		strings.Repeat("---|", len(header)))
	for _, row := range rows {
		fmt.Fprintf(&r.text, "| %s |\n", strings.Join(row, " | "))
	}
}

// Plot writes a plot's file and shows it. A failure to write is told by [Report.Write].
func (r *Report) Plot(name string, p Plot) {
	fmt.Fprintf(&r.text, "\n![%s: %s over %s](%s)\n", p.Title, p.Y, p.X, name)
	if err := os.WriteFile(
		filepath.Join(r.folder, name), []byte(p.SVG()), 0o644,
	); err != nil && r.failed == nil {
		r.failed = err
	}
}

// CSV writes a file of rows.
func (r *Report) CSV(name string, rows [][]string) error {
	file, err := os.Create(filepath.Join(r.folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return csv.NewWriter(file).WriteAll(rows)
}

// Write writes the page.
func (r *Report) Write() error {
	if r.failed != nil {
		return r.failed
	}
	return os.WriteFile(filepath.Join(r.folder, r.file), []byte(r.text.String()), 0o644)
}
