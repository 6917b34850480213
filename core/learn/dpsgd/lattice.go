package dpsgd

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/random"
)

// lattice says how gradients become vectors of whole numbers; see the package
// comment.
type lattice struct {
	bits     int     // k: the noise is 2^k
	longest  float64 // D: no record's vector is longer
	scale    float64 // s = G/C
	gradient float64 // 1/(s·b): what a whole number of a sum is worth in ĝ
}

// precision is how many bits D has at least, where the noise allows it.
const precision = 20

func (p Plan) lattice(dimension int) (lattice, error) {
	_, exponent := math.Frexp(p.NoiseMultiplier) // z_σ < 2^exponent
	l := lattice{bits: min(max(precision+exponent, 4), random.MaxCellBits)}
	l.longest = math.Ldexp(1, l.bits) / p.NoiseMultiplier * (1 - 0x1p-50)
	room := math.Sqrt(float64(dimension)) / 2
	if room > l.longest/16 {
		return l, &privacy.ParameterError{
			Field: "noise_multiplier", Value: privacy.Number(p.NoiseMultiplier),
			Want: "smaller for so many columns: the lattice would be coarse",
		}
	}
	l.scale = (l.longest - room) * (1 - 0x1p-40) / p.Clip
	l.gradient = 1 / (l.scale * p.Batch)
	return l, nil
}

// toWhole added to a number below 2^51 in magnitude and taken off again rounds
// it to the nearest whole number.
const toWhole = 0x1.8p52

// addRecord adds to sum the vector of a record's gradient weight·value, weight
// being s·f′.
func addRecord(sum []float64, index []int32, value []float64, weight float64) {
	value = value[:len(index)]
	for k, j := range index {
		sum[j] += (float64(value[k]*weight) + toWhole) - toWhole
	}
}
