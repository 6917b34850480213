// Package lab holds the handlers of the laboratory: they list what it offers, and run
// experiments.
//
// Its results are scores, made with noise that anybody can draw again, so they can
// never become a release. On the user's own file their standing is "experiment: not
// private", and they are as private as the file.
package lab

import (
	"cloister/core/data"
	"cloister/core/lab"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// Service returns the laboratory's handlers. datasets finds a data set that was
// read here by its number; it is asked when an experiment names one.
func Service(datasets func(f *privacy.Fields) (*data.Dataset, error)) *api.Service {
	return &api.Service{
		Explain: explain,
		Handlers: map[string]api.Handler{
			"about":        about,
			"lab.contents": contents,
			"lab.run":      func(call *api.Call) (map[string]any, error) { return run(call, datasets) },
		},
	}
}

func explain(err error) *api.Error {
	switch e := err.(type) {
	case *lab.UnknownError:
		return &api.Error{
			Code: api.CodeParameter, Field: e.Field + "s", Message: api.Sentence(upper(e.Error())),
			Cause: err,
		}
	case *lab.MissingFileError:
		return &api.Error{
			Code: api.CodeParameter, Field: "files", Message: api.Sentence(upper(e.Error())),
			Cause: err,
		}
	}
	return nil
}

// upper writes the first letter large.
func upper(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}

func about(call *api.Call) (map[string]any, error) {
	return map[string]any{"library": privacy.LibraryVersion}, call.Fields.Done()
}

// contents answers {} with the data sets, methods and published numbers that
// there are.
func contents(call *api.Call) (map[string]any, error) {
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	var sets, methods, published []any
	for _, s := range lab.Sets() {
		tree := map[string]any{
			"name":  s.Name,
			"title": s.Title,
			"about": s.About,
			"paper": s.Paper,
			"files": api.List(s.Files),
		}
		if schema := s.Schema(lab.DefaultEncoding); schema != nil {
			described, err := schema.Tree()
			if err != nil {
				return nil, err
			}
			tree["schema"] = described
		}
		sets = append(sets, tree)
	}
	for _, m := range lab.Methods() {
		methods = append(methods, map[string]any{
			"name": m.Name, "title": m.Title, "family": m.Family, "standing": string(m.Standing), "about": m.About,
			"settings": map[string]any{
				"full":  api.List(m.Settings(lab.Full)),
				"quick": api.List(m.Settings(lab.Quick)),
			},
		})
	}
	for _, p := range lab.PublishedAccuracies() {
		published = append(
			published,
			map[string]any{
				"set":      p.Set,
				"method":   p.Method,
				"epsilon":  p.Epsilon,
				"accuracy": p.Accuracy,
				"where":    p.Where,
			},
		)
	}
	epsilons := make([]any, len(lab.Epsilons))
	for i, e := range lab.Epsilons {
		epsilons[i] = e
	}
	return map[string]any{
		"sets": sets, "methods": methods, "published": published,
		"epsilons": epsilons, "delta": lab.DefaultDelta, "trials": lab.DefaultTrials,
	}, nil
}
