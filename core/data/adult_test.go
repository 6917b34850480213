package data

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// published reads a file of ../shared/data (or $CLOISTER_DATA), or skips.
func published(t testing.TB, name string) []byte {
	t.Helper()
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Skipf(
			"%s is absent: put the published data there, or set CLOISTER_DATA",
			filepath.Join(folder, name),
		)
	}
	return text
}

func fixture(t testing.TB, name string) *Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".schema.json"))
	require.NoError(t, err)
	schema, err := ParseSchema(text)
	require.NoError(t, err)
	return schema
}

func adult(t testing.TB) []Part {
	return []Part{
		{"adult.train.csv", newReader(published(t, "adult.train.csv"))},
		{"adult.test.csv", newReader(published(t, "adult.test.csv"))},
	}
}

func BenchmarkAdult(b *testing.B) {
	text := published(b, "adult.train.csv")
	schema := fixture(b, "adult")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_, err := Read(newReader(text), schema, ReadOptions{})
		require.NoError(b, err)
	}
}

type blackhole struct{ fields int }

func (h *blackhole) header([]string) *Error { return nil }
func (h *blackhole) record(_ int, _ []byte, f []span) *Error {
	h.fields += len(f)
	return nil
}

func BenchmarkScanner(b *testing.B) {
	text := published(b, "adult.train.csv")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := scanner{sink: &blackhole{}}
		s.begin()
		if s.write(text) != nil || s.end() != nil {
			b.Fatal()
		}
	}
}

func newReader(text []byte) *bytes.Reader { return bytes.NewReader(text) }
