package learn

import (
	"strconv"

	"cloister/core/adaptive"
	"cloister/core/privacy"
)

func (t TestedSample) tree() map[string]any {
	return map[string]any{
		"of": t.of(), "eigenvalue": t.Eigenvalue, "log_radius": t.LogRadius, "lambda": t.Lambda,
		"gamma": t.Gamma, "sigma": t.SigmaOut, "grid": t.Grid,
	}
}

func (t FixedSample) tree() map[string]any {
	return map[string]any{
		"of": t.of(), "records": float64(t.Records), "lambda": t.Lambda, "gamma": t.Gamma,
		"sigma": t.SigmaOut, "grid": t.Grid,
	}
}

func (t TestedCurvature) tree() map[string]any {
	return map[string]any{
		"of": t.of(), "eigenvalue": t.Curvature, "lambda": t.Lambda, "sigma": t.Sigma,
		"grid": t.Grid,
	}
}

func readTold(f *privacy.Fields) (Told, error) {
	var told Told
	switch name := f.Text("of"); name {
	case (TestedSample{}).of():
		told = TestedSample{adaptive.SampleTold{
			Eigenvalue: f.Number("eigenvalue"), LogRadius: f.Number("log_radius"),
			Lambda: f.Number("lambda"), Gamma: f.Number("gamma"),
			SigmaOut: f.Number("sigma"), Grid: f.Number("grid"),
		}}
	case (FixedSample{}).of():
		told = FixedSample{adaptive.FixedTold{
			Records: f.Int("records"), Lambda: f.Number("lambda"), Gamma: f.Number("gamma"),
			SigmaOut: f.Number("sigma"), Grid: f.Number("grid"),
		}}
	case (TestedCurvature{}).of():
		told = TestedCurvature{adaptive.CurvatureTold{
			Curvature: f.Number("eigenvalue"), Lambda: f.Number("lambda"),
			Sigma: f.Number("sigma"), Grid: f.Number("grid"),
		}}
	default:
		return nil, &privacy.ParameterError{
			Field: f.Path("of"), Value: strconv.Quote(name),
			Want: `"tested-sample", "fixed-sample" or "tested-curvature"`,
		}
	}
	return told, f.Done()
}
