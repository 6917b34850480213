// Package fitline is the command line of programs that fit: which file, which schema, which fit,
// and where the release goes.
package fitline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"cloister/core/account/objective"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
)

// Line is what a command line says of a fit.
type Line struct {
	Data    string // path of the CSV file
	Journal string // path of the file from which a killed fit goes on; "": none

	schema, output                       string
	epsilon, delta                       float64
	adjacency, method, loss, norm, bound string
	records, width, shift, lambda        float64
	radius, clip, weight                 float64
	header, delimiter                    string
	account                              account
}

// Register has the flags fill the line in.
func (l *Line) Register(flags *flag.FlagSet) {
	flags.StringVar(&l.Data, "data", "", "the CSV file")
	flags.StringVar(&l.schema, "schema", "", "the public schema, JSON")
	flags.Float64Var(&l.epsilon, "epsilon", 0, "ε, above 0, in nats")
	flags.Float64Var(&l.delta, "delta", 0, "δ, above 0; well below 1/(number of records)")
	flags.StringVar(&l.adjacency, "adjacency", "add-remove", `or "replace-one"`)
	flags.StringVar(&l.method, "method", methods.Default, "one that needs sums alone")
	flags.Float64Var(&l.records, "records", 0, "about how many, as publicly known")
	flags.StringVar(&l.loss, "loss", "", "the loss; left out, the usual one for the label")
	flags.Float64Var(&l.width, "huber-width", 0, "half-width of the Huber loss (1)")
	flags.Float64Var(&l.shift, "shift", 0, "of shifted-logistic and rounded-hinge (2)")
	flags.Float64Var(
		&l.weight, "positive-weight", 0,
		"how many negative records a positive one counts as; public, for weighted-logistic",
	)
	flags.StringVar(&l.norm, "norm", "", `"clip", "unit" or "scale"; overrides the schema's`)
	flags.StringVar(&l.bound, "bound", "", "which proof prices the fit; left out, the sharpest")
	flags.Float64Var(&l.lambda, "lambda", 0, "strength of the regulariser; 0: chosen")
	flags.Float64Var(&l.radius, "radius", 0, "a public guess of the norm; 0: chosen")
	flags.Float64Var(&l.clip, "clip", 0, "threshold of each gradient; 0: chosen")
	flags.StringVar(&l.header, "header", "", `"first" or "none": what the first line is; else judged`)
	flags.StringVar(
		&l.delimiter, "delimiter", "", `between fields: a sign, "tab" or "space"; else found`,
	)
	flags.StringVar(&l.Journal, "journal", "", "file from which a killed fit goes on; secret")
	l.account.register(flags)
	flags.StringVar(&l.output, "output", "", "file for the release; left out, standard output")
}

// Check says what is missing on the line; rest is what no flag took.
func (l *Line) Check(rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("fit: what is %q for? One file, by -data", rest[0])
	}
	for _, needed := range []struct{ name, value string }{{"data", l.Data}, {"schema", l.schema}} {
		if needed.value == "" {
			return fmt.Errorf("fit: -%s is missing (-help documents it)", needed.name)
		}
	}
	if l.Journal != "" && l.output != "" && filepath.Clean(l.Journal) == filepath.Clean(l.output) {
		return errors.New("fit: -journal and -output name one file")
	}
	for _, read := range []struct{ name, path string }{{"data", l.Data}, {"schema", l.schema}} {
		if sameFile(l.output, read.path) {
			return fmt.Errorf("fit: -output names the file of -%s, and would write over it", read.name)
		}
	}
	if _, err := l.Reading(); err != nil {
		return err
	}
	return l.account.check()
}

// sameFile reports whether two paths lead to one file that is there.
func sameFile(one, other string) bool {
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// Reading says how the file is read.
func (l *Line) Reading() (data.ReadOptions, error) {
	options := data.ReadOptions{Header: data.Header(l.header)}
	switch options.Header {
	case data.HeaderJudged, data.HeaderFirst, data.HeaderNone:
	default:
		return options, fmt.Errorf("fit: -header is %q: it must be first or none", l.header)
	}
	switch {
	case l.delimiter == "tab":
		options.Delimiter = '\t'
	case l.delimiter == "space":
		options.Delimiter = ' '
	case len(l.delimiter) == 1:
		options.Delimiter = l.delimiter[0]
	case l.delimiter != "":
		return options, fmt.Errorf(
			"fit: -delimiter is %q: it must be one sign, tab or space", l.delimiter,
		)
	}
	return options, nil
}

// Choose reads the schema and chooses the fit. It looks at no record.
func (l *Line) Choose() (learn.Asked, learn.Chosen, error) {
	text, err := os.ReadFile(l.schema)
	if err != nil {
		return learn.Asked{}, learn.Chosen{}, err
	}
	schema, err := data.ParseSchema(text)
	if err != nil {
		return learn.Asked{}, learn.Chosen{}, err
	}
	asked, err := l.asked(schema)
	if err != nil {
		return learn.Asked{}, learn.Chosen{}, err
	}
	if l.norm == "" {
		asked.Schema = methods.Rows(l.method, asked)
	}
	chosen, err := methods.Choose(l.method, asked)
	return asked, chosen, err
}

// asked is the question to package methods.
func (l *Line) asked(schema *data.Schema) (learn.Asked, error) {
	asked := learn.Asked{Schema: schema, Records: l.records, Loss: learn.DefaultLoss(&schema.Label)}
	if l.norm != "" {
		schema.Rows.Norm = data.Norm(l.norm)
		if err := schema.Validate(); err != nil {
			return asked, err
		}
	}
	if l.loss == "" && l.weight != 0 {
		l.loss = learn.WeightedLoss
	}
	if l.loss != "" {
		parameter := cmp.Or(l.width, learn.DefaultHuberWidth)
		if slices.Contains(learn.ShiftedLosses, l.loss) {
			parameter = cmp.Or(l.shift, glm.DefaultShift)
		}
		if l.loss == learn.WeightedLoss {
			parameter = l.weight
		} else if l.weight != 0 {
			return asked, errors.New("fit: -positive-weight is for the loss weighted-logistic")
		}
		var err error
		if asked.Loss, err = learn.ParseLoss(l.loss, parameter); err != nil {
			return asked, err
		}
	}
	adjacency, err := privacy.ParseAdjacency(l.adjacency)
	if err != nil {
		return asked, err
	}
	asked.Guarantee = privacy.Guarantee{
		Adjacency: adjacency, Epsilon: l.epsilon, Delta: l.delta,
	}
	asked.Tuning = learn.Tuning{
		Bound: objective.Bound(l.bound), Clip: l.clip, Lambda: l.lambda, Radius: l.radius,
	}
	return asked, asked.Guarantee.Validate()
}

// Publish commits the release to the ledger, if there is one, and then writes it, whole or not at
// all; to out if the line names no file.
func (l *Line) Publish(
	asked learn.Asked, fit learn.Chosen, model learn.Model, charge Charge, out io.Writer,
) error {
	released, err := l.publish(asked, fit, model, charge, out)
	if err != nil && !released {
		return charge.Failed(context.Background(), false, err)
	}
	return err
}

// publish is Publish, and says whether the release was committed.
func (l *Line) publish(
	asked learn.Asked, fit learn.Chosen, model learn.Model, charge Charge, out io.Writer,
) (released bool, err error) {
	release, err := learn.NewRelease(fit.Event, asked.Guarantee, fit.Bound, model)
	if err != nil {
		return false, err
	}
	text, err := json.MarshalIndent(release, "", "  ")
	if err != nil {
		return false, err
	}
	if err := charge.released(text); err != nil {
		return false, err
	}
	return true, l.write(append(text, '\n'), out)
}

func (l *Line) write(text []byte, out io.Writer) error {
	if l.output == "" {
		_, err := out.Write(text)
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(l.output), filepath.Base(l.output)+".part-*")
	if err != nil {
		return err
	}
	_, err = part.Write(text)
	err = errors.Join(err, part.Chmod(0o644), part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), l.output)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
