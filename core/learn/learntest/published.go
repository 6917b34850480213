package learntest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/data"
)

// DataFolder is where published data sets are looked for: CLOISTER_DATA, or
// ../shared/data beside the repository. It is for packages two folders below the
// top's core.
func DataFolder() string {
	if folder := os.Getenv("CLOISTER_DATA"); folder != "" {
		return folder
	}
	return filepath.Join("..", "..", "..", "..", "shared", "data")
}

// AdultSchema is the one beside package data's tests: norm 1, κ = 1/2.
func AdultSchema(t testing.TB) *data.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "data", "testdata", "adult.schema.json"))
	require.NoError(t, err)
	schema, err := data.ParseSchema(text)
	require.NoError(t, err)
	return schema
}

// Adult is Adult read by a schema, all 45,222 rows; the test is skipped where the
// data is absent.
func Adult(t testing.TB, schema *data.Schema) *data.Dataset {
	t.Helper()
	var parts []data.Part
	for _, name := range []string{"adult.train.csv", "adult.test.csv"} {
		file, err := os.Open(filepath.Join(DataFolder(), name))
		if err != nil {
			t.Skipf(
				"%s is absent: put the published data there, or set CLOISTER_DATA",
				filepath.Join(DataFolder(), name),
			)
		}
		t.Cleanup(func() { file.Close() })
		parts = append(parts, data.Part{Name: name, Reader: file})
	}
	d, err := data.ReadParts(parts, schema, data.ReadOptions{})
	require.NoError(t, err)
	return d
}
