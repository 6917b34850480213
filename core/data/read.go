package data

import "io"

// Part is one of several files that make a data set together, such as the
// training and the test part of a published one.
type Part struct {
	Name   string // for errors; may be empty
	Reader io.Reader
}

// Read reads one CSV file into a data set; see Parser. Errors of r are
// returned as they are.
func Read(r io.Reader, schema *Schema, options ReadOptions) (*Dataset, error) {
	return ReadParts([]Part{{Reader: r}}, schema, options)
}

// ReadParts reads several CSV files, each with its header, into one data set,
// in the order given.
func ReadParts(parts []Part, schema *Schema, options ReadOptions) (*Dataset, error) {
	p, err := NewParser(schema, options)
	if err != nil {
		return nil, err
	}
	chunk := make([]byte, window)
	for _, part := range parts {
		if err := p.Begin(part.Name); err != nil {
			return nil, err
		}
		if err := pour(part.Reader, chunk, p.Write); err != nil {
			return nil, err
		}
	}
	return p.Close()
}

func pour(r io.Reader, chunk []byte, write func([]byte) error) error {
	for {
		n, err := r.Read(chunk)
		if n > 0 {
			if err := write(chunk[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
