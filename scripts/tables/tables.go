// Package tables reads the published data sets that programs measure on. They are no part
// of the project: they are looked for in ../shared/data, or $CLOISTER_DATA.
package tables

import (
	"os"
	"path/filepath"
	"strings"

	"cloister/core/data"
	"cloister/scripts/splitmix"
)

// Folder is where the data sets are looked for.
func Folder() string {
	if folder := os.Getenv("CLOISTER_DATA"); folder != "" {
		return folder
	}
	return filepath.Join("..", "shared", "data")
}

// Names are the sets that there are, each with a schema: adult, breast_cancer, iris,
// more/NAME for the tables of the folder more, and, if there is any, clinic, which is made up.
func Names() []string {
	var names []string
	for _, name := range []string{"adult.train", "breast_cancer", "iris"} {
		if _, err := os.Stat(filepath.Join(Folder(), name+".csv")); err == nil {
			names = append(names, strings.TrimSuffix(name, ".train"))
		}
	}
	schemas, _ := filepath.Glob(filepath.Join(Folder(), "more", "*.schema.json"))
	for _, path := range schemas {
		names = append(names, "more/"+strings.TrimSuffix(filepath.Base(path), ".schema.json"))
	}
	if len(names) > 0 {
		names = append(names, "clinic")
	}
	return names
}

// Load reads a set by the schema in core/data/testdata, or one of the folder more by the
// schema beside it, or makes the clinic, after change has had its way with the schema.
func Load(name string, change func(*data.Schema)) (*data.Dataset, error) {
	if name == "clinic" {
		schema := clinicSchema()
		change(schema)
		return data.Read(strings.NewReader(clinicText()), schema, data.ReadOptions{})
	}
	folder := Folder()
	schemas := filepath.Join("core", "data", "testdata")
	if strings.HasPrefix(name, "more/") {
		schemas = folder // beside the table
	}
	text, err := os.ReadFile(filepath.Join(schemas, name+".schema.json"))
	if err != nil {
		return nil, err
	}
	schema, err := data.ParseSchema(text)
	if err != nil {
		return nil, err
	}
	change(schema)
	files := []string{name + ".csv"}
	if name == "adult" {
		// Rows with any value missing are left out, as the papers do; the
		// schema's own rule for an unknown category ("zero") does not come into it.
		files = []string{"adult.train.csv", "adult.test.csv"}
	}
	var parts []data.Part
	for _, file := range files {
		opened, err := os.Open(filepath.Join(folder, file))
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		parts = append(parts, data.Part{Name: file, Reader: opened})
	}
	return data.ReadParts(parts, schema, data.ReadOptions{})
}

// Split deals the rows out by a seeded shuffle: four fifths to train on, the
// rest to test on.
func Split(d *data.Dataset, seed uint64) (train, test *data.Dataset) {
	rows := make([]int, d.X.Rows())
	for i := range rows {
		rows[i] = i
	}
	state := splitmix.Source(seed)
	for i := len(rows) - 1; i > 0; i-- {
		j := int(state.Next() % uint64(i+1))
		rows[i], rows[j] = rows[j], rows[i]
	}
	cut := len(rows) * 4 / 5
	return d.Select(rows[:cut]), d.Select(rows[cut:])
}
