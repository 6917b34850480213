package lab

import (
	"context"
	"strconv"

	"cloister/core/data"
	"cloister/core/lab"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// MaxCells is the largest experiment that one call runs.
const MaxCells = 100_000

// run answers {sets or dataset, methods, epsilons, delta?, trials?, seed?,
// effort?, files?} with every cell's result and their summaries. It tells of
// each result as it comes. files has the text of each file that the sets are
// read from, as bytes.
func run(
	call *api.Call, datasets func(*privacy.Fields) (*data.Dataset, error),
) (map[string]any, error) {
	f := call.Fields
	plan := lab.Plan{
		Methods:  f.Texts("methods"),
		Epsilons: f.Numbers("epsilons"),
		Delta:    f.NumberOr("delta", lab.DefaultDelta),
		Trials:   f.IntOr("trials", 1),
		Seed:     f.IntOr("seed", 0),
		Effort:   lab.Effort(f.TextOr("effort", string(lab.Full))),
	}
	var laboratory *lab.Lab
	if f.Has("dataset") {
		dataset, err := datasets(f)
		if err != nil {
			return nil, err
		}
		plan.Sets, laboratory = []string{lab.Given}, lab.On(dataset)
	} else {
		plan.Sets = f.Texts("sets")
		laboratory = lab.New(readFiles(f))
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	cells, err := plan.Cells()
	if err != nil {
		return nil, err
	}
	if len(cells) > MaxCells {
		return nil, &privacy.ParameterError{
			Field: "trials",
			Value: strconv.Itoa(plan.Trials) + ", which makes " + strconv.Itoa(len(cells)) +
				" runs",
			Want: "such that there are at most " + strconv.Itoa(MaxCells),
		}
	}
	var results []lab.Result
	trees := make([]any, 0, len(cells))
	for i, cell := range cells {
		result, err := laboratory.Run(context.Background(), cell)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
		tree := resultTree(result)
		trees = append(trees, tree)
		call.Progress(
			map[string]any{
				"phase":    "running",
				"fraction": float64(i+1) / float64(len(cells)),
				"done":     i + 1,
				"total":    len(cells),
				"result":   tree,
			},
		)
	}
	summaries := make([]any, 0)
	for _, s := range lab.Summaries(results) {
		summaries = append(summaries, map[string]any{
			"set": s.Set, "method": s.Method, "standing": string(s.Standing), "epsilon": s.Epsilon,
			"trials": s.Accuracy.Trials, "accuracy": s.Accuracy.Value, "halfWidth": s.Accuracy.HalfWidth,
			"setting": s.Setting, "settings": s.Settings,
		})
	}
	return map[string]any{"results": trees, "summaries": summaries}, nil
}

func resultTree(r lab.Result) map[string]any {
	c := r.Cell
	return map[string]any{
		"set": c.Set, "method": c.Method, "setting": c.Setting, "epsilon": c.Epsilon, "delta": c.Delta,
		"trial": c.Trial, "seed": c.Seed, "effort": string(c.Effort),
		"standing": string(
			r.Standing,
		), "accuracy": r.Accuracy, "loss": r.Loss, "baseline": r.Baseline,
		"tested": r.Tested, "trained": r.Trained, "detail": r.Detail, "key": r.Key,
	}
}

// readFiles reads the field "files": an object of arrays of bytes.
func readFiles(f *privacy.Fields) func(name string) ([]byte, error) {
	if !f.Has("files") {
		return nil
	}
	files, ok := f.Any("files").(map[string]any)
	if !ok {
		f.Bad("files", "an object: the bytes of each file by its name")
	}
	for _, content := range files {
		if _, ok := content.([]byte); !ok {
			f.Bad("files", "an object: the bytes of each file by its name")
		}
	}
	return func(name string) ([]byte, error) {
		if text, ok := files[name].([]byte); ok {
			return text, nil
		}
		return nil, &lab.MissingFileError{File: name}
	}
}
