package accounting

import (
	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// gaussianLower names the lower bound among the curves to compare with.
const gaussianLower = "gaussian-lower"

// readComparisons reads the names of curves; nil if the field is absent.
func readComparisons(f *privacy.Fields, name string) []string {
	if !f.Has(name) {
		return nil
	}
	items := f.List(name)
	names := make([]string, len(items))
	for i, given := range items {
		text, ok := given.(string)
		if ok && text != gaussianLower {
			_, err := objective.ParseBound(text)
			ok = err == nil && text != ""
		}
		if !ok {
			f.Fail(
				&privacy.ParameterError{
					Field: item(f, name, i),
					Value: "not the name of a curve",
					Want:  `a bound ("auto", "control", "logistic", "rounded-hinge", "signed", "glm", "profile", "rdp" or "kifer") or "` + gaussianLower + `"`,
				},
			)
		}
		names[i] = text
	}
	return names
}

// compare draws the named curves. Those that say nothing of the event are
// listed with the reason: a bound for another loss, a λ that is too small for
// it, a mechanism that is not its own.
func (d *desk) compare(
	reply map[string]any, event privacy.Event, names []string, options pld.Options,
	points []float64,
) error {
	drawn, left := []any{}, []any{}
	for _, name := range names {
		line, err := d.draw(event, name, options, points)
		switch err.(type) {
		case nil:
			drawn = append(drawn, line)
		case *objective.InapplicableError, *privacy.ParameterError, *pld.NoDistributionError:
			left = append(left, map[string]any{"name": name, "message": api.Sentence(err.Error())})
		default:
			return err
		}
	}
	reply["comparisons"] = drawn
	if len(left) > 0 {
		reply["inapplicable"] = left
	}
	return nil
}

func (d *desk) draw(
	event privacy.Event, name string, options pld.Options, points []float64,
) (map[string]any, error) {
	if name == gaussianLower {
		lower, err := objective.LowerBound(event)
		if err != nil {
			return nil, err
		}
		return drawLower(lower, points), nil
	}
	method := account.Auto
	options.Bound = objective.Bound(name)
	if _, bounded := privacy.ObjectiveOf(event); !bounded {
		switch options.Bound {
		case objective.BoundAuto:
		case objective.BoundRDP:
			method, options.Bound = account.Renyi, objective.BoundAuto
		default:
			return nil, &privacy.ParameterError{
				Field: "mechanism",
				Value: event.Mechanism(),
				Want:  `an objective perturbation for the bound "` + name + `"`,
			}
		}
	}
	price, err := d.prices.of(event, method, options)
	if err != nil {
		return nil, err
	}
	_, theorem := cited(event, options.Bound, price.Method, price.Quick())
	return drawUpper(name, theorem, often(price, event, points), points)
}

// manyPoints is from how many points on it pays to prepare a curve (account.Price.Drawn).
const manyPoints = 64

// often is the price to draw so many points by.
func often(price account.Price, event privacy.Event, points []float64) account.Price {
	if len(points) < manyPoints {
		return price
	}
	return price.Drawn(event)
}

// drawUpper draws upper bounds, and the lower ends where there are any.
func drawUpper(
	name, theorem string, price account.Price, points []float64,
) (map[string]any, error) {
	logDelta, delta := make([]float64, len(points)), make([]float64, len(points))
	drawn := line(name, theorem, "upper", points, delta, logDelta)
	if price.Certified != nil {
		profile, err := price.Certified.Curve(points)
		if err != nil {
			return nil, err
		}
		logLower, lower := make([]float64, len(points)), make([]float64, len(points))
		for i, interval := range profile {
			logDelta[i], logLower[i] = interval.LogUpper, interval.LogLower
			delta[i], lower[i] = interval.Upper(), interval.Lower()
		}
		drawn["deltaLower"], drawn["logDeltaLower"] = lower, logLower
		return drawn, nil
	}
	for i, epsilon := range points {
		logDelta[i] = price.LogDeltaUpper(epsilon)
		rounded, err := curve.DeltaUpper(known(logDelta[i]), epsilon)
		if err != nil {
			return nil, err
		}
		delta[i] = rounded
	}
	return drawn, nil
}

// known is a profile of one value, computed already.
type known float64

func (k known) LogDeltaUpper(float64) float64 { return float64(k) }

func drawLower(curve objective.LowerCurve, points []float64) map[string]any {
	logDelta, delta := make([]float64, len(points)), make([]float64, len(points))
	for i, epsilon := range points {
		logDelta[i] = curve.LogDeltaLower(epsilon)
		delta[i] = curve.DeltaLower(epsilon)
	}
	return line(
		gaussianLower,
		"Redberg, Koskela & Wang 2023, Lemma 3.4: no analysis can promise less than the Gaussian mechanism's profile",
		"lower", points, delta, logDelta,
	)
}

func line(name, theorem, side string, epsilon, delta, logDelta []float64) map[string]any {
	return map[string]any{
		"name":     name,
		"theorem":  theorem,
		"side":     side,
		"epsilon":  epsilon,
		"delta":    delta,
		"logDelta": logDelta,
	}
}
