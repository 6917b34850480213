package fitting

import (
	"context"
	"strconv"

	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
	"cloister/core/search"
	"cloister/wasm/api"
)

// noisyCells prepares {dataset, adjacency, epsilon}: the counts of all cells with noise, of a
// reading for the purpose "scorecard". Any number of cards of them costs nothing more.
func (s *Session) noisyCells(call *api.Call) (*api.Purchase, error) {
	id := call.Fields.Int("dataset")
	cells, ok := s.cells[id]
	if !ok {
		return nil, lost(id)
	}
	adjacency, epsilon := call.Fields.Adjacency(), call.Fields.Number("epsilon")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	event, err := scorecard.CountsEvent(epsilon, adjacency)
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		drawing(call)
		bought, err := scorecard.Buy(
			cells, epsilon, adjacency, s.source, func(privacy.Event) error { return nil },
		)
		if err != nil {
			return nil, err
		}
		tree, err := bought.Tree()
		if err != nil {
			return nil, err
		}
		return map[string]any{"release": tree}, nil
	}
	return &api.Purchase{Event: event, Dataset: id, Run: run}, nil
}

// planNoisyCells answers {schema, adjacency, epsilon} with what buying the counts would be
// charged for, and how noisy what they say of a card would be. No data is needed.
func planNoisyCells(call *api.Call) (map[string]any, error) {
	schema, err := readCellSchema(call.Fields)
	if err != nil {
		return nil, err
	}
	adjacency, epsilon := call.Fields.Adjacency(), call.Fields.Number("epsilon")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	shape, err := scorecard.Admit(schema, 1)
	if err != nil {
		return nil, err
	}
	event, err := scorecard.CountsEvent(epsilon, adjacency)
	if err != nil {
		return nil, err
	}
	tree, err := schema.Tree()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"schema":    tree,
		"event":     privacy.EncodeEvent(event),
		"epsilon":   epsilon,
		"cells":     float64(shape.Cells()),
		"deviation": scorecard.Deviation(shape.Cells(), epsilon, adjacency),
		"caveats":   api.List(schema.Caveats()),
	}, nil
}

// readNoisyCells reads the field "release", the document of noisy cells.
func readNoisyCells(f *privacy.Fields) (*scorecard.NoisyCells, error) {
	tree := f.Any("release")
	if tree == nil {
		return nil, f.Done()
	}
	cells, err := scorecard.CellsFromTree(tree)
	if err != nil {
		return nil, unreadable(err)
	}
	return cells, nil
}

// checkNoisyCells answers {release} with whether noisy cells say the truth about themselves,
// from the document alone.
func checkNoisyCells(call *api.Call) (map[string]any, error) {
	cells, err := readNoisyCells(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	findings, problems := findingsTree(cells.Verify(), cells.Schema)
	return map[string]any{
		"holds":    len(problems) == 0,
		"findings": findings,
		"problems": problems,
	}, nil
}

// cardOfCells answers {release, attributes?, points?, card?}: the card of noisy cells on the
// attributes that are named, all if none are, that gets the fewest records wrong by them; or,
// given card, the points of each level, that one. It costs nothing.
func cardOfCells(call *api.Call) (map[string]any, error) {
	f := call.Fields
	cells, err := readNoisyCells(f)
	if err != nil {
		return nil, err
	}
	if f.Has("attributes") {
		if cells, err = keepNamed(cells, f.Texts("attributes")); err != nil {
			return nil, err
		}
	}
	bound := f.IntOr("points", 1)
	var byHand [][]int
	if f.Has("card") {
		byHand = readCardPoints(f)
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	var card *scorecard.Release
	var wrong int64
	if byHand != nil {
		card, wrong, err = cells.Card(byHand, bound)
	} else {
		card, wrong, err = cells.Best(context.Background(), bound, func(p search.Progress) {
			call.Progress(map[string]any{
				"phase": "searching", "nodes": float64(p.Nodes), "fraction": p.Done,
			})
		})
	}
	if err != nil {
		return nil, err
	}
	tree, err := card.Tree()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"release":   tree,
		"wrong":     float64(wrong),
		"records":   float64(cells.Records()),
		"deviation": cells.Deviation(),
	}, nil
}

// keepNamed is the cells of the attributes with these names.
func keepNamed(cells *scorecard.NoisyCells, names []string) (*scorecard.NoisyCells, error) {
	at := make(map[string]int)
	for g := range cells.Schema.Attributes {
		at[cells.Schema.Attributes[g].Name] = g
	}
	var kept []int
	for i, name := range names {
		g, ok := at[name]
		if !ok {
			return nil, &privacy.ParameterError{
				Field: "attributes[" + strconv.Itoa(i) + "]", Value: privacy.Quote(name),
				Want: "an attribute of the noisy cells",
			}
		}
		kept = append(kept, g)
	}
	return cells.Keep(kept)
}

// readCardPoints reads the field "card": a list of whole numbers for each attribute.
func readCardPoints(f *privacy.Fields) [][]int {
	points := [][]int{}
	for g, tree := range f.List("card") {
		list, ok := tree.([]any)
		of := make([]int, 0, len(list))
		for _, value := range list {
			x, isNumber := value.(float64)
			whole := int(x)
			ok = ok && isNumber && float64(whole) == x
			of = append(of, whole)
		}
		if !ok {
			f.Fail(&privacy.ParameterError{
				Field: f.Path("card") + "[" + strconv.Itoa(g) + "]", Value: "something else",
				Want: "a list of whole numbers, the points of each level",
			})
			return nil
		}
		points = append(points, of)
	}
	return points
}
