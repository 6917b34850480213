// Package adaptive is the public arithmetic of releases whose noise depends on what was released
// before: from the noisy numbers of a test to the noise of the coefficients, and whether what a
// file says of them follows. Learners run it (packages ops and outptr of core/learn), and
// whoever verifies a release runs it again. It knows no data.
//
//	Sample     a posterior sample of linear regression after two tests (package ops)
//	Fixed      one without tests, for a public number of records (package ops)
//	Curvature  output perturbation after one test (package outptr)
//
// The theorems and proofs stand with the learners. Here is what they compute.
package adaptive

import (
	"math"
	"strconv"

	"cloister/core/privacy"
)

// MaxDimension is the largest number of columns: of more the eigenvalues are not known as well
// as is promised (solve.EigenError).
const MaxDimension = 200

// slack is by how much what is computed of the data may be off, in units of R² or of what one
// record moves it by: eigenvalues (2^-38 of a Frobenius norm below 2^24 R², and the rounding of
// sums in blocks), and the radius of a solution that is certified.
const slack = 0x1p-8

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}

// checkRange refuses numbers of which squares would not fit the tests' lattices.
func checkRange(field string, x float64) error {
	if !(x >= 1e-45 && x <= 1e45) {
		return bad(field, privacy.Number(x), "a number from 1e-45 to 1e45")
	}
	return nil
}

func checkDimension(d int) error {
	if d < 1 || d > MaxDimension {
		return bad("dimension", strconv.Itoa(d), "from 1 to "+strconv.Itoa(MaxDimension)+
			": leave out features, or put rare categories together")
	}
	return nil
}

func checkRatio(field string, ratio, least float64) error {
	if !(ratio >= least && ratio <= 100) {
		return bad(field, privacy.Number(ratio), "from "+privacy.Number(least)+" to 100")
	}
	return nil
}

// near allows for the last digits of another machine.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// Precision are the certificate and the lattice of an output: the solver's residual is at most
// Tau, and noise of parameter Sigma is drawn on a lattice of spacing Grid.
type Precision struct{ Tau, Sigma, Grid float64 }

// gridOf is the spacing that is 2^-bits of the noise, or up to twice that.
func gridOf(sigma float64, bits int) float64 {
	_, exponent := math.Frexp(sigma)
	return math.Ldexp(1, exponent-1-bits)
}

// OnLattice reports whether every coefficient is one that noise on the lattice can give out.
func OnLattice(theta []float64, grid float64) bool {
	for _, x := range theta {
		if math.Remainder(x, grid) != 0 || !(math.Abs(x/grid) < 1<<53) {
			return false
		}
	}
	return true
}
