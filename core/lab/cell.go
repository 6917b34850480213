package lab

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// Cell is one run: everything that its result depends on.
type Cell struct {
	Set     string
	Method  string
	Setting string  // which point of a grid, where the method has one: Method.Settings
	Epsilon float64 // +Inf for methods that are not private
	Delta   float64
	Trial   int // 1, 2, …: another split of the records and other noise
	Seed    int // 0 unless everything is to be drawn anew
	Effort  Effort
}

// Effort says how much a fit may cost.
type Effort string

const (
	Full  Effort = "full"  // as the papers
	Quick Effort = "quick" // fewer epochs, coarser grids: minutes in place of hours
)

// Key names the cell and the revisions of its set and method: results with the
// same key are results of the same computation.
func (c Cell) Key() (string, error) {
	set, err := FindSet(c.Set)
	if err != nil {
		return "", err
	}
	method, err := FindMethod(c.Method)
	if err != nil {
		return "", err
	}
	return c.key(set.Revision, method.Revision), nil
}

func (c Cell) key(setRevision, methodRevision int) string {
	return c.Set + "@" + decimal(setRevision) + "/" + c.Method + "@" + decimal(methodRevision) +
		"/" + c.Setting + "/" + number(c.Epsilon) + "/" + number(c.Delta) + "/" + decimal(c.Trial) +
		"/" + decimal(c.Seed) + "/" + string(c.Effort)
}

// noise names the stream of the cell's noise. Methods do not share one.
func (c Cell) noise() string {
	return "noise/" + c.Set + "/" + c.Method + "/" + c.Setting + "/" + number(c.Epsilon) + "/" +
		number(c.Delta) + "/" + decimal(c.Trial) + "/" + decimal(c.Seed)
}

// dealing names the stream that splits the records: the same for all methods,
// so that they are compared on the same split.
func (c Cell) dealing() string {
	return "split/" + c.Set + "/" + decimal(c.Trial) + "/" + decimal(c.Seed)
}

// check returns a *privacy.ParameterError or *UnknownError if there is no such
// cell.
func (c Cell) check(m Method) error {
	if c.Trial < 1 {
		return &privacy.ParameterError{
			Field: "trial",
			Value: strconv.Itoa(c.Trial),
			Want:  "1 or more",
		}
	}
	if c.Effort != Full && c.Effort != Quick {
		return &privacy.ParameterError{
			Field: "effort",
			Value: quote(string(c.Effort)),
			Want:  quote(string(Full)) + " or " + quote(string(Quick)),
		}
	}
	if err := m.checkSetting(c.Setting, c.Effort); err != nil {
		return err
	}
	if m.Standing == NotPrivate {
		if !math.IsInf(c.Epsilon, 1) {
			return &privacy.ParameterError{
				Field: "epsilon",
				Value: number(c.Epsilon),
				Want:  "infinite for a method that is not private",
			}
		}
		return nil
	}
	if err := privacy.CheckEpsilon(c.Epsilon); err != nil {
		return err
	}
	return privacy.CheckDelta(c.Delta)
}
