package amp

import (
	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/privacy"
)

// Request asks account.CalibrateMinima for a logistic fit with the defaults,
// all of them chosen without looking at data.
func Request(schema *data.Schema, guarantee privacy.Guarantee, bound account.Bound) account.Request {
	return account.Request{
		Guarantee:  guarantee,
		Loss:       privacy.LossLogistic,
		RowNorm:    schema.RowNorm(),
		Smoothness: 0.25,
		Dimension:  schema.Dimension(),
		Bound:      bound,
	}
}
