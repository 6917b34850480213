package scorecard

import (
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Format and version of the document of noisy cells.
const (
	CellsFormat  = "cloister-noisy-cells"
	CellsVersion = 1
)

// mostCounted is what all counts of a document may be together, their signs left out: the
// limit of a search. Noise that is drawn for the least ε stays below it.
const mostCounted = 1 << 40

// Tree is the noisy cells as a document, a plain tree:
//
//	format, version   CellsFormat and CellsVersion
//	library           version of the library that made it
//	guarantee         what is promised: adjacency, epsilon, delta (0), covers, caveats
//	event             the noise that each count has (package privacy)
//	counts
//	  positives       list of whole numbers, one for each combination of levels, that of the
//	                  last attribute running fastest; some below 0
//	  negatives       likewise
//	schema            the public schema (data.CellSchema)
//
// It is an error if the schema is not valid.
func (n *NoisyCells) Tree() (map[string]any, error) {
	schema, err := n.Schema.Tree()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"format":    CellsFormat,
		"version":   float64(CellsVersion),
		"library":   n.Library,
		"guarantee": n.Promise.tree(),
		"event":     privacy.EncodeEvent(n.Event),
		"counts": map[string]any{
			"positives": numbers(n.Positives), "negatives": numbers(n.Negatives),
		},
		"schema": schema,
	}, nil
}

func numbers(counts []int64) []any {
	out := make([]any, len(counts))
	for i, count := range counts {
		out[i] = float64(count)
	}
	return out
}

// ParseCells reads noisy cells from JSON text. It refuses fields that it does not know or that
// are given twice, other formats, newer versions, counts that are not whole numbers or not one
// for each cell of the schema, and counts beyond 2^40 together. Whether the guarantee holds is
// for Verify to say. Errors are *data.SchemaError and *privacy.ParameterError.
func ParseCells(text []byte) (*NoisyCells, error) {
	tree, err := data.ParseJSON("the noisy cells", text)
	if err != nil {
		return nil, err
	}
	return CellsFromTree(tree)
}

// CellsFromTree is ParseCells for a decoded document.
func CellsFromTree(tree any) (*NoisyCells, error) {
	f := privacy.NewFields("", tree)
	if format := f.Text("format"); format != CellsFormat {
		f.Bad("format", strconv.Quote(CellsFormat)+", as in all noisy cells of this library")
	}
	if f.Int("version") != CellsVersion {
		f.Bad("version", "1; a newer file needs a newer version of this page or library")
	}
	n := &NoisyCells{Library: f.Version("library")}
	schemaTree, eventTree := f.Any("schema"), f.Any("event")
	guarantee := privacy.NewFields("guarantee", f.Any("guarantee"))
	counts := privacy.NewFields("counts", f.Any("counts"))
	if err := f.Done(); err != nil {
		return nil, err
	}
	var err error
	if n.Schema, err = data.CellSchemaFromTree("schema", schemaTree); err != nil {
		return nil, err
	}
	if n.Event, err = privacy.DecodeEvent("event", eventTree); err != nil {
		return nil, err
	}
	if n.Promise, err = readPromise(guarantee); err != nil {
		return nil, err
	}
	n.bought = cellsOf(n.Schema)
	room := int64(mostCounted)
	n.Positives = readCounts(counts, "positives", n.bought, &room)
	n.Negatives = readCounts(counts, "negatives", n.bought, &room)
	return n, counts.Done()
}

func cellsOf(schema *data.CellSchema) int {
	cells := 1
	for _, levels := range schema.Sizes() {
		cells *= levels
	}
	return cells
}

// readCounts reads a list of whole numbers, and takes their sizes from the room that is left.
func readCounts(f *privacy.Fields, name string, cells int, room *int64) []int64 {
	list := f.Numbers(name)
	if len(list) != cells {
		f.Fail(&privacy.ParameterError{
			Field: f.Path(name), Value: strconv.Itoa(len(list)) + " counts",
			Want: strconv.Itoa(cells) + ", one for each combination of the schema's levels",
		})
		return nil
	}
	counts := make([]int64, cells)
	for i, x := range list {
		whole := x >= -mostCounted && x <= mostCounted
		if whole {
			counts[i] = int64(x)
			*room -= max(counts[i], -counts[i])
		}
		if !whole || float64(counts[i]) != x || *room < 0 {
			f.Fail(&privacy.ParameterError{
				Field: f.Path(name) + "[" + strconv.Itoa(i) + "]", Value: privacy.Number(x),
				Want: "a whole number, and all of them together at most 2^40",
			})
			return nil
		}
	}
	return counts
}

// Verify recomputes everything that the noisy cells claim and that follows from the file
// alone, as [Release.Verify] does. That the noise was drawn, only whoever made it can say.
func (n *NoisyCells) Verify() learn.Findings {
	var c claims
	if err := n.Event.Validate(); err != nil {
		c.check("event", err, "")
		return c.Findings
	}
	c.check("event", nil, "Every parameter of the mechanism is in range.")
	var err error
	if cells := cellsOf(n.Schema); len(n.Positives) != cells || len(n.Negatives) != cells {
		err = &privacy.ParameterError{
			Field: "counts", Value: strconv.Itoa(len(n.Positives)) + " positives and " +
				strconv.Itoa(len(n.Negatives)) + " negatives",
			Want: strconv.Itoa(cells) + " of each, one for each combination of the schema's levels",
		}
	}
	c.check("counts", err, "There are two whole numbers for each of the "+
		strconv.Itoa(len(n.Positives))+" combinations of levels.")
	noise := countsOf(n.Event, n.Guarantee)
	c.check("mechanism", noise, "It is noise on each count.")
	c.promise(n.Promise, n.Event, n.Schema, noise)
	if noise == nil && err == nil {
		c.check("counts_noise", n.possible(), "The counts are no nearer to 0 than noise of this "+
			"strength leaves them, and none is further below it than it reaches.")
	}
	return c.Findings
}

// possible is an error if no such noise gives out counts as near 0 as these are: with much of it
// a promise is cheap, and the counts say nothing, so that whoever promises the one and
// publishes the other has drawn none.
//
// Each count is a number of records and noise of its own, of mass tanh(1/(2s)) ≤ 1/(2s) at most at
// each point, s being its scale; one that adds up several has several, and no more mass at any
// point. Within r of 0 are 2r + 1 whole numbers. What is below 2^-100 is an error
// ([learn.TooShort]).
//
// Nor can a count be further below 0, or above data.MaxRecords, than its noise is: that of as many
// cells as a schema can have, of which each of these may be the sum ([learn.LaplaceReach]). Nor
// can all of them together, which have the noise of twice as many.
func (n *NoisyCells) possible() error {
	one, ok := n.Event.(privacy.DiscreteLaplace)
	if !ok { // which one record changes two counts by
		one = n.Event.(privacy.Composition).Parts[0].Event.(privacy.DiscreteLaplace)
	}
	counts, total := make([]float64, 0, len(n.Positives)+len(n.Negatives)), 0.0
	for _, count := range slices.Concat(n.Positives, n.Negatives) {
		counts = append(counts, float64(count))
		total += float64(count)
	}
	sums := len(counts) + 1
	reach := learn.LaplaceReach(one.Scale, max(1, data.MostCells/len(n.Positives)), sums)
	together := learn.LaplaceReach(one.Scale, 2*data.MostCells, sums)
	least, most := slices.Min(counts), slices.Max(counts)
	if least < -reach || most > data.MaxRecords+reach ||
		total < -together || total > data.MaxRecords+together {
		return &privacy.ParameterError{
			Field: "counts", Value: "from " + privacy.Number(least) + " to " + privacy.Number(most),
			Want: "no further below 0 than noise of this strength reaches, nor above what can be read",
		}
	}
	if !learn.TooShort(counts, func(r float64) float64 { return (2*r + 1) / (2 * one.Scale) }) {
		return nil
	}
	return &privacy.ParameterError{
		Field: "counts", Value: "nearer to 0 than noise of this strength leaves any",
		Want: "what the mechanism gave out",
	}
}
