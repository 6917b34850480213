package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// report is thesis.md, as it grows.
type report struct {
	folder string
	text   strings.Builder
	failed error
}

func (r *report) section(title, what string) {
	if r.text.Len() == 0 {
		r.text.WriteString("# The thesis’ figures, run again\n")
	}
	fmt.Fprintf(&r.text, "\n## %s\n\n%s\n", title, strings.ReplaceAll(what, "\n", " "))
}

func (r *report) paragraph(format string, args ...any) {
	fmt.Fprintf(&r.text, "\n"+format+"\n", args...)
}

func (r *report) table(header []string, rows [][]string) {
	fmt.Fprintf(&r.text, "\n| %s |\n|%s\n", strings.Join(header, " | "),
		strings.Repeat("---|", len(header)))
	for _, row := range rows {
		fmt.Fprintf(&r.text, "| %s |\n", strings.Join(row, " | "))
	}
}

// plot writes a plot's file and shows it. A failure to write is told by [report.write].
func (r *report) plot(name string, p plot) {
	fmt.Fprintf(&r.text, "\n![%s: %s over %s](%s)\n", p.title, p.y, p.x, name)
	if err := os.WriteFile(
		filepath.Join(r.folder, name), []byte(p.svg()), 0o644,
	); err != nil && r.failed == nil {
		r.failed = err
	}
}

func (r *report) csv(name string, rows [][]string) error {
	file, err := os.Create(filepath.Join(r.folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return csv.NewWriter(file).WriteAll(rows)
}

func (r *report) write() error {
	if r.failed != nil {
		return r.failed
	}
	return os.WriteFile(filepath.Join(r.folder, "thesis.md"), []byte(r.text.String()), 0o644)
}
