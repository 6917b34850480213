package learn

import (
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// LeastWidth is the narrowest Huber loss that CheckWidth takes.
const LeastWidth = 1 / (2 * calibrate.LargestCurvature)

// CheckWidth returns a *privacy.ParameterError for the field "huber_width" if the loss
// is Huber's and narrower than [LeastWidth]. Down to that width a solver's certificate
// is proved to be good enough whatever the records are (calibrate.LargestCurvature).
// Below it, one more record could decide whether a fit is refused. Only learners that
// solve need this check; the others take any width.
func CheckWidth(loss glm.Loss) error {
	if huber, ok := loss.(glm.Huber); ok && !(huber.Width() >= LeastWidth) {
		return &privacy.ParameterError{
			Field: "huber_width", Value: privacy.Number(huber.Width()),
			Want: "at least " + privacy.Number(LeastWidth) +
				", or one record would decide whether a fit is refused; 0.5 is usual",
		}
	}
	return nil
}

// CheckRecords returns a *privacy.ParameterError for the field "records" if there are
// more than calibrate.MostRecords. Package data reads no more; this check is for data
// sets that were made in another way. It does not say how many there are.
func (p Problem) CheckRecords() error {
	if p.Records() > calibrate.MostRecords {
		return &privacy.ParameterError{
			Field: "records",
			Value: "too many",
			Want:  "at most " + strconv.Itoa(calibrate.MostRecords),
		}
	}
	return nil
}
