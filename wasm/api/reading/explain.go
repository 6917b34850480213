package reading

import (
	"errors"
	"strings"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report"
	"cloister/wasm/api"
)

// badRelease says why a release cannot be read.
func badRelease(tree any, err error) error {
	out := &api.Error{Code: api.CodeRelease, Cause: err, Field: fieldOf(err)}
	switch {
	case newer(tree, learn.ReleaseFormat, learn.ReleaseVersion):
		out.Message = "This release was made by a newer version of Cloister than this page knows. Open it with the page or the program that it came with."
	case tree == nil || formatOf(tree) != learn.ReleaseFormat:
		out.Message = "This is no release: a release is a JSON file that says \"format\": \"" + learn.ReleaseFormat + "\"."
	default:
		out.Message = "This release cannot be read: " + api.Sentence(err.Error())
	}
	return out
}

// badReport says why a report cannot be read.
func badReport(tree any, err error) error {
	out := &api.Error{Code: api.CodeReport, Cause: err, Field: fieldOf(err)}
	switch {
	case newer(tree, report.Format, report.Version):
		out.Message = "This privacy report was made by a newer version of Cloister than this page knows. Open it with the page or the program that it came with."
	case tree == nil || formatOf(tree) != report.Format:
		out.Message = "This is no privacy report: a report is a JSON file that says \"format\": \"" + report.Format + "\"."
	case out.Field == "release":
		out.Message = "This privacy report belongs to another release than the one given with it. Take the two files that were published together; a release that was changed afterwards is another one, too."
	default:
		out.Message = "This privacy report cannot be read: " + api.Sentence(err.Error())
	}
	return out
}

// noReport says why there can be no report of a release.
func noReport(err error) error {
	out := &api.Error{Code: api.CodeReport, Cause: err, Field: fieldOf(err)}
	why := api.Sentence(err.Error())
	switch out.Field {
	case "label":
		why = "it predicts one of several classes, and each of them is a release of its own."
	case "event.adjacency":
		why = "it promises something about one person in another's place, and what that cost you depends on the other, whom nobody knows."
	case "event":
		why = "it was not made by objective perturbation, and what the noise of other ways tells of one person is not known from their result."
	}
	out.Message = "Of this release there can be no privacy report: " + why
	return out
}

func formatOf(tree any) string {
	members, _ := tree.(map[string]any)
	format, _ := members["format"].(string)
	return format
}

// newer reports whether a document is of this format and a version above the
// newest that is known here.
func newer(tree any, format string, newest int) bool {
	members, _ := tree.(map[string]any)
	version, _ := members["version"].(float64)
	return formatOf(tree) == format && version > float64(newest)
}

func fieldOf(err error) string {
	if e, ok := errors.AsType[*privacy.ParameterError](err); ok {
		return e.Field
	}
	if e, ok := errors.AsType[*data.SchemaError](err); ok {
		return e.Field
	}
	return ""
}

// refused is the error for a record that no data set of the schema has, in words
// for the person that it is of, not for who holds the data.
func (o *opened) refused(err error) error {
	e, ok := errors.AsType[*data.Error](err)
	if !ok {
		return err
	}
	out := &api.Error{
		Code:    api.CodeData,
		Column:  e.Column,
		Cause:   err,
		Message: privacy.Quote(e.Column) + ": ",
	}
	switch e.Kind {
	case data.NoColumn, data.MissingValue:
		out.Message += "a value is missing. Fill it in: no record without one was used."
	case data.UnknownValue, data.UnknownLabel:
		problem, _, _ := strings.Cut(e.Problem, " (")
		out.Message += problem + ". Choose one of those that the model knows."
	case data.NotNumber, data.NotFinite:
		out.Message += e.Problem + ". Write a number in digits, with a decimal point, such as 39 or 3.5."
	default:
		out.Message += api.Sentence(e.Problem)
	}
	return out
}

// explain gives the errors of the packages behind these handlers a code.
func explain(err error) *api.Error {
	if e, ok := errors.AsType[*report.RowError](err); ok {
		return &api.Error{
			Code:    api.CodeData,
			Message: api.Sentence(strings.ToUpper(e.Error()[:1]) + e.Error()[1:]),
			Cause:   err,
		}
	}
	return nil
}
