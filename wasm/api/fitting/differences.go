package fitting

import (
	"cloister/core/differences"
	"cloister/wasm/api"
)

// found answers {release} with what its model found: {share, vectors}, as package
// differences derives it from the release alone.
func found(call *api.Call) (map[string]any, error) {
	release, err := readRelease(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	var vectors []any
	for _, v := range differences.Of(release) {
		list := make([]any, len(v.Differences))
		for i, d := range v.Differences {
			one := map[string]any{
				"feature": d.Feature, "estimate": d.Estimate, "error": d.Error, "shown": d.Shown,
			}
			if d.Category != "" {
				one["category"] = d.Category
			}
			if d.Reference != "" {
				one["reference"] = d.Reference
			}
			if d.Missing {
				one["missing"] = true
			}
			list[i] = one
		}
		vector := map[string]any{"limit": v.Limit, "differences": list}
		if v.Class != "" {
			vector["class"] = v.Class
		}
		vectors = append(vectors, vector)
	}
	return map[string]any{"share": differences.Share, "vectors": vectors}, nil
}
