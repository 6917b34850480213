package fitline

import (
	"context"
	"io"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/passes"
	"cloister/core/random"
)

// InPasses fits in passes (package passes), charges, and writes the release. told is what the
// holder of the file may read.
func (l *Line) InPasses(
	ctx context.Context, file io.ReaderAt, size int64, asked learn.Asked, fit learn.Chosen,
	source random.Source, options passes.Options, out, told io.Writer,
) error {
	var charge Charge
	options.Journal = l.Journal
	options.Pay = func(file *data.Stream, paid string) (string, error) {
		if l.account.folder == "" && paid != "" {
			return "", passes.ErrPaid
		}
		var err error
		charge, err = l.Charge(ctx, file.Copy, asked, fit, paid, told)
		return charge.Receipt(), err
	}
	released := false
	err := passes.Fit(
		ctx, file, size, asked, fit, source, options, func(model learn.Model) error {
			var err error
			released, err = l.publish(asked, fit, model, charge, out)
			return err
		},
	)
	if err != nil && !released {
		return charge.Failed(ctx, l.Journal != "", err)
	}
	return err
}
