package fitting

import (
	"context"
	"strconv"
	"time"

	"cloister/core/data"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
	"cloister/core/search"
	"cloister/wasm/api"
)

// cellCounting is a reading that ends in the counts of a card's cells.
type cellCounting struct {
	session *Session
	counter *data.CellCounter
}

// openCells begins to count {schema, points?}. A schema with too many levels is
// refused here, before any of the file comes in.
func (s *Session) openCells(f *privacy.Fields, size int64) (reading, error) {
	schema, err := readCellSchema(f)
	if err != nil {
		return nil, err
	}
	points := f.IntOr("points", 1)
	options := readOptions(f, size)
	if _, err := scorecard.Admit(schema, points); err != nil {
		return nil, err
	}
	counter, err := data.NewCellCounter(schema, options)
	if err != nil {
		return nil, err
	}
	return &cellCounting{session: s, counter: counter}, nil
}

func (c *cellCounting) begin(part string) error  { return c.counter.Begin(part) }
func (c *cellCounting) write(chunk []byte) error { return c.counter.Write(chunk) }
func (c *cellCounting) rows() int                { return c.counter.RowsSoFar() }

func (c *cellCounting) finish(id int) (map[string]any, error) {
	cells, err := c.counter.Close()
	if err != nil {
		return nil, err
	}
	c.session.cells[id] = cells
	return map[string]any{"dataset": id}, nil
}

// readCellSchema reads the field "schema", a card's.
func readCellSchema(f *privacy.Fields) (*data.CellSchema, error) {
	tree := f.Any("schema")
	if tree == nil {
		return nil, f.Done()
	}
	return data.CellSchemaFromTree("", tree)
}

func readScorecardRequest(f *privacy.Fields, schema *data.CellSchema) scorecard.Request {
	return scorecard.Request{
		Schema:    schema,
		Bound:     f.IntOr("points", 1),
		Adjacency: f.Adjacency(),
		Epsilon:   f.Number("epsilon"),
		Mechanism: scorecard.Mechanism(f.TextOr("mechanism", "")),
		Noise:     privacy.NoiseLaw(f.TextOr("noise", "")),
	}
}

// scorecard prepares {dataset, adjacency, epsilon, points?, mechanism?, noise?}: a card of
// the schema that the reading was given, which was for the purpose "scorecard".
//
// Whoever charges does so before Run draws noise. The search goes on to its end; if the
// worker is ended before, nothing of it is ever seen.
func (s *Session) scorecard(call *api.Call) (*api.Purchase, error) {
	id := call.Fields.Int("dataset")
	cells, ok := s.cells[id]
	if !ok {
		return nil, lost(id)
	}
	request := readScorecardRequest(call.Fields, cells.Schema)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	plan, err := request.Plan()
	if err != nil {
		return nil, err
	}
	run := func() (map[string]any, error) {
		begun := time.Now()
		call.Progress(map[string]any{"phase": "searching"}) // From here on the cost counts.
		release, d, err := scorecard.Fit(
			context.Background(), cells, plan, s.source, func(privacy.Event) error { return nil },
			func(p search.Progress) {
				call.Progress(map[string]any{
					"phase": "searching", "nodes": float64(p.Nodes), "fraction": p.Done,
				})
			},
		)
		if err != nil {
			return nil, err
		}
		tree, err := release.Tree()
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"release": tree,
			"diagnostics": map[string]any{
				"records":      float64(d.Records),
				"dropped":      float64(cells.Dropped),
				"wrong":        float64(d.Loss),
				"nodes":        float64(d.Certificate.Nodes),
				"milliseconds": float64(time.Since(begun)) / 1e6,
			},
		}, nil
	}
	return &api.Purchase{Event: plan.Event, Dataset: id, Run: run}, nil
}

// planScorecard answers {schema, adjacency, epsilon, points?, mechanism?, noise?} with what
// buying such a card would be charged for, and from how many it would be chosen. No data is needed.
func planScorecard(call *api.Call) (map[string]any, error) {
	schema, err := readCellSchema(call.Fields)
	if err != nil {
		return nil, err
	}
	request := readScorecardRequest(call.Fields, schema)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	plan, err := request.Plan()
	if err != nil {
		return nil, err
	}
	tree, err := schema.Tree()
	if err != nil {
		return nil, err
	}
	out := map[string]any{
		"schema":  tree,
		"event":   privacy.EncodeEvent(plan.Event),
		"epsilon": plan.Guarantee.Epsilon,
		"levels":  float64(plan.Shape.Dimension()),
		"cells":   float64(plan.Shape.Cells()),
		"cards":   float64(plan.Shape.Size()),
		"caveats": api.List(schema.Caveats()),
	}
	if excess, ok := plan.Excess(0.05); ok {
		out["excess"] = excess
	}
	return out, nil
}

// readScorecard reads the field "release", a card's document.
func readScorecard(f *privacy.Fields) (*scorecard.Release, error) {
	tree := f.Any("release")
	if tree == nil {
		return nil, f.Done()
	}
	release, err := scorecard.ReleaseFromTree(tree)
	if err != nil {
		return nil, unreadable(err)
	}
	return release, nil
}

// checkScorecard answers {release} with whether a card says the truth about itself, from
// the document alone.
func checkScorecard(call *api.Call) (map[string]any, error) {
	release, err := readScorecard(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	findings, problems := findingsTree(release.Verify(), release.Schema)
	least, largest := release.Range()
	out := map[string]any{
		"holds":    len(problems) == 0,
		"findings": findings,
		"problems": problems,
		"least":    float64(least),
		"largest":  float64(largest),
	}
	if release.Assessment != nil && len(problems) == 0 {
		out["figures"] = figures(release.Classifier(), release.Assessment)
	}
	return out, nil
}

// scoreRows answers {release, rows}: each row an object of fields by attribute, or a list
// of fields in the card's order.
func scoreRows(call *api.Call) (map[string]any, error) {
	release, err := readScorecard(call.Fields)
	if err != nil {
		return nil, err
	}
	rows := call.Fields.List("rows")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	names := make([]string, len(release.Schema.Attributes))
	for g := range names {
		names[g] = release.Schema.Attributes[g].Name
	}
	classes := release.Schema.Label.ClassNames()
	scores := make([]any, len(rows))
	for i, row := range rows {
		record, err := readRow(row, "rows["+strconv.Itoa(i)+"]", names)
		if err != nil {
			return nil, err
		}
		score, yes, err := release.ScoreRecord(record)
		if err != nil {
			return nil, inRow(err, i, len(rows))
		}
		label := classes[0]
		if yes {
			label = classes[1]
		}
		scores[i] = map[string]any{"score": float64(score), "yes": yes, "label": label}
	}
	return map[string]any{"scores": scores}, nil
}

// inRow says in which of several rows an error is.
func inRow(err error, i, of int) error {
	e := explain(err)
	if e == nil || of == 1 {
		return err
	}
	out := *e
	out.Message = "Row " + strconv.Itoa(i+1) + " of " + strconv.Itoa(of) + ": " + out.Message
	return &out
}
