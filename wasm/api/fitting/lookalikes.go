package fitting

import (
	"cloister/core/data"
	"cloister/core/privacy"
)

// lookalikes is a reading that ends in a hint: columns that by themselves all but tell the
// label. Nothing is kept of it.
type lookalikes struct{ finder *data.Lookalikes }

func openLookalikes(f *privacy.Fields, size int64) (reading, error) {
	schema, err := readSchema(f)
	if err != nil {
		return nil, err
	}
	finder, err := data.NewLookalikes(schema, readOptions(f, size))
	if err != nil {
		return nil, err
	}
	return &lookalikes{finder}, nil
}

func (l *lookalikes) begin(part string) error  { return l.finder.Begin(part) }
func (l *lookalikes) write(chunk []byte) error { return l.finder.Write(chunk) }
func (l *lookalikes) rows() int                { return l.finder.RowsSoFar() }

func (l *lookalikes) finish(int) (map[string]any, error) {
	found, err := l.finder.Close()
	if err != nil {
		return nil, err
	}
	columns := make([]any, len(found))
	for i, c := range found {
		columns[i] = map[string]any{"column": c.Column, "share": c.Share}
	}
	return map[string]any{"lookalikes": columns}, nil
}
