//go:build !js

package dpsgd

import (
	"testing"

	"cloister/core/learn/audittest"
)

// sabotages are allowances and constants of the proof, left out or with the wrong sign.
var sabotages = []audittest.Sabotage{
	{
		File:    "lattice.go",
		Text:    "/ p.NoiseMultiplier * (1 - 0x1p-50)",
		Instead: "/ p.NoiseMultiplier",
	},
	{
		File:    "lattice.go",
		Text:    "/ p.NoiseMultiplier * (1 - 0x1p-50)",
		Instead: "/ p.NoiseMultiplier * (1 + 0x1p-50)",
	},
	{
		File:    "lattice.go",
		Text:    "(l.longest - room) * (1 - 0x1p-40) / p.Clip",
		Instead: "l.longest * (1 - 0x1p-40) / p.Clip",
		By:      "TestNoRecordIsLongerThanTheNoiseAssumes",
	},
	{
		File:    "lattice.go",
		Text:    "(l.longest - room) * (1 - 0x1p-40) / p.Clip",
		Instead: "(l.longest - room) * (1 + 0x1p-40) / p.Clip",
	},
}

// Each is seen: see audittest.Sabotages.
func TestAuditSabotagedAllowancesAreCaught(t *testing.T) {
	audittest.Sabotages(t, "NoRecordIsLonger", sabotages)
}
