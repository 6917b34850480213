package fitting

import (
	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// readSchema reads the field "schema", a plain tree. (Text is the client's to
// parse: no handler uses encoding/json, which would be a tenth of the binary.)
func readSchema(f *privacy.Fields) (*data.Schema, error) {
	tree := f.Any("schema")
	if tree == nil {
		return nil, f.Done()
	}
	return data.SchemaFromTree("", tree)
}

func checkSchema(call *api.Call) (map[string]any, error) {
	schema, err := readSchema(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	tree, err := schema.Tree()
	if err != nil {
		return nil, err
	}
	var suggested []any
	for i := range schema.Features {
		if schema.Features[i].Provenance == data.Suggested {
			suggested = append(suggested, schema.Features[i].Name)
		}
	}
	if schema.Label.Provenance == data.Suggested {
		suggested = append(suggested, schema.Label.Name)
	}
	return map[string]any{
		"schema":    tree,
		"rowNorm":   schema.RowNorm(),
		"dimension": schema.Dimension(),
		"columns":   columns(schema),
		"suggested": api.List(suggested),
		"caveats":   api.List(schema.Caveats()),
	}, nil
}

func columns(schema *data.Schema) []any {
	var out []any
	for _, c := range schema.Columns() {
		out = append(out, map[string]any{
			"name":      c.Name,
			"feature":   c.Feature,
			"category":  c.Category,
			"missing":   c.Missing,
			"intercept": c.Intercept,
			"log":       c.Log,
			"scale":     c.Scale,
			"offset":    c.Offset,
		})
	}
	return out
}
