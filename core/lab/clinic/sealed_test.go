package clinic

import (
	"testing"

	"cloister/core/lab/sealedtest"
)

func TestNoDataComeIn(t *testing.T) {
	sealedtest.NoDataComeIn(t, 8, "Attribute", "Card", "Cards")
}
