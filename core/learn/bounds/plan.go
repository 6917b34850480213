package bounds

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// Plan is how bounds are bought. All of it is public.
type Plan struct {
	Adjacency privacy.Adjacency // no default
	Columns   int               // whose bounds are released together
	Epsilon   float64           // of all of them together, at most; δ is 0
	// of the records, that may be set aside at the two ends together; from 0 to below 1
	Share float64
}

// Failure is 2β, the probability with which the package's second theorem may fail, for
// all columns of a release together.
const Failure = 0.02

// MaxColumns is the most columns of a plan.
const MaxColumns = 4096

// Event is what a release by this plan costs. Its scale is the smallest whole
// one whose ε is not above the plan's. A plan that cannot be carried out is a
// *privacy.ParameterError for the field "adjacency", "columns", "epsilon" or
// "share".
func (p Plan) Event() (privacy.Event, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	one := privacy.DiscreteLaplace{Adjacency: p.Adjacency, Sensitivity: 1, Scale: p.scale()}
	return privacy.Composition{
		Adjacency: p.Adjacency,
		Parts:     []privacy.Part{{Event: one, Count: p.changes()}},
	}, nil
}

// Spent is the ε of the event. It is at most Epsilon, and less if Epsilon would buy a
// scale between two whole ones. The plan must be valid.
func (p Plan) Spent() float64 {
	return min(p.Epsilon, float64(p.changes())/p.scale()*(1+0x1p-52))
}

// Threshold is T: the noisy count from which on a bin is seen.
func (p Plan) Threshold() int64 {
	b := p.scale()
	q := math.Exp(-1 / b)
	return max(1, int64(math.Ceil(b*math.Log(float64(p.Columns)*float64(bins)/(Failure/2*(1+q))))))
}

// changes is in how many counts one record can make a difference of 1.
func (p Plan) changes() int {
	if p.Adjacency == privacy.ReplaceOne {
		return 2 * p.Columns
	}
	return p.Columns
}

// scale is the least whole number not below changes/ε.
func (p Plan) scale() float64 {
	changes := float64(p.changes())
	s := math.Ceil(changes / p.Epsilon)
	if math.FMA(p.Epsilon, s, -changes) < 0 { // the quotient was rounded down
		s++
	}
	return max(s, 1)
}

func (p Plan) check() error {
	if err := privacy.CheckAdjacency(p.Adjacency); err != nil {
		return err
	}
	if p.Columns < 1 || p.Columns > MaxColumns {
		return &privacy.ParameterError{
			Field: "columns",
			Value: strconv.Itoa(p.Columns),
			Want:  "from 1 to " + strconv.Itoa(MaxColumns),
		}
	}
	if err := privacy.CheckEpsilon(p.Epsilon); err != nil {
		return err
	}
	if !(p.scale() <= maxScale) {
		return &privacy.ParameterError{
			Field: "epsilon",
			Value: privacy.Number(p.Epsilon),
			Want:  "larger: noise for so many columns at this ε would drown any file",
		}
	}
	if !(p.Share >= 0 && p.Share < 1) {
		return &privacy.ParameterError{
			Field: "share",
			Value: privacy.Number(p.Share),
			Want:  "from 0 to below 1, such as 0.01",
		}
	}
	return nil
}

// maxScale is far beyond the counts of any file, and below
// random.MaxLaplaceScale.
const maxScale = 1 << 40
