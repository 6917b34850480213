package learn

import (
	"math"

	"cloister/core/privacy"
	"cloister/core/solve"
)

// Spectrum is a spectral decomposition of released moments, by which regressions are
// computed. All of it is arithmetic on what is public.
type Spectrum struct {
	moments *Moments
	eigen   solve.Eigen
	along   []float64 // Vᵀb
}

// Spectrum decomposes the matrix. The error is solve.ErrEigen.
func (m *Moments) Spectrum() (*Spectrum, error) {
	eigen, err := solve.Decompose(m.Matrix)
	if err != nil {
		return nil, err
	}
	s := &Spectrum{moments: m, eigen: eigen, along: make([]float64, m.Columns())}
	for k, u := range eigen.Vectors {
		s.along[k] = dotProduct(u, m.Vector)
	}
	return s, nil
}

func dotProduct(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += float64(v * y[j])
	}
	return sum
}

// gain is f(a) = 1/(max(a, 0) + λ) of an eigenvalue a.
func gain(a, ridge float64) float64 { return 1 / (math.Max(a, 0) + ridge) }

// slope is (f(a) − f(b))/(a − b), and f′(a) for a = b.
func slope(a, b, ridge float64) float64 {
	a, b = math.Max(a, b), math.Min(a, b)
	if a <= 0 {
		return 0
	}
	share := 1.0
	if b < 0 {
		share = a / (a - b) // of the way from b to a on which f falls
	}
	return -share * gain(a, ridge) * gain(b, ridge)
}

// Coefficients returns θ = (A₊ + λI)⁻¹b for a ridge λ > 0, A₊ the positive part of the
// matrix: its eigenvalues below 0, which only noise can give it, count as 0. It panics if
// ridge is not above 0.
func (s *Spectrum) Coefficients(ridge float64) []float64 {
	mustRidge(ridge)
	theta := make([]float64, len(s.along))
	for k, u := range s.eigen.Vectors {
		t := s.along[k] * gain(s.eigen.Values[k], ridge)
		for j, v := range u {
			theta[j] += float64(t * v)
		}
	}
	return theta
}

func mustRidge(ridge float64) {
	if !(ridge > 0) {
		panic("learn: a ridge that is not above 0")
	}
}

// SquaredError estimates Σ(y − xᵀθ)² over the records themselves, for the θ of Coefficients.
// It is unbiased, and may be below 0.
//
// With the noise E of A, e of b and e′ of Σy², the sum is what the released moments give,
// c − 2θᵀb + θᵀAθ, less e′ − 2θᵀe + θᵀEθ; and θ has been fitted to that noise, so its mean is
// not 0. By Stein's lemma, with f the gain, F_ij its slope between two eigenvalues and
// t = Vᵀθ,
//
//	E θᵀe = σ₂² Σ f(a_i),   E θᵀEθ = 2σ₁² Σ_i t_i (Vᵀb)_i (F_ii + Σ_j F_ij):
//
// the derivative of f(A)b in the direction B is V(F∘(VᵀBV))Vᵀb (Daletskii & Krein), and the
// sum of B_ab B_cd over an orthonormal basis of the symmetric matrices is ½ for a, b = c, d
// and ½ for a, b = d, c.
func (s *Spectrum) SquaredError(ridge float64) float64 {
	mustRidge(ridge)
	m := s.moments
	sum, trace, fitted := m.Square, 0.0, 0.0
	for i, a := range s.eigen.Values {
		f := gain(a, ridge)
		t := s.along[i] * f
		sum += t * (a*t - 2*s.along[i])
		trace += f
		bends := slope(a, a, ridge)
		for _, other := range s.eigen.Values {
			bends += slope(a, other, ridge)
		}
		fitted += t * s.along[i] * bends
	}
	return sum + 2*m.VectorSigma*m.VectorSigma*trace - 2*m.MatrixSigma*m.MatrixSigma*fitted
}

// Records estimates how many records there are, by the intercept's column: A_κκ/κ². It is at
// least 1. An error if rows have no intercept.
func (m *Moments) Records() (float64, error) {
	if m.Intercept == 0 {
		return 0, &privacy.ParameterError{
			Field: "intercept", Value: "0",
			Want: "above 0: without the intercept's column nothing says how many records there are",
		}
	}
	k := m.Columns() - 1
	return math.Max(1, m.Matrix.Row(k)[k]/(m.Intercept*m.Intercept)), nil
}

// RSquared estimates the share of the label's variance that Coefficients explain on the
// records themselves: 1 − SquaredError/(Σy² − (Σy)²/n), n that of Records. It is NaN if the
// noise leaves no variance to be explained. An error if rows have no intercept.
func (s *Spectrum) RSquared(ridge float64) (float64, error) {
	n, err := s.moments.Records()
	if err != nil {
		return math.NaN(), err
	}
	m := s.moments
	sum := m.Vector[m.Columns()-1] / m.Intercept
	variation := m.Square - sum*(sum/n)
	if !(variation > 0) {
		return math.NaN(), nil
	}
	return 1 - s.SquaredError(ridge)/variation, nil
}

// StandardErrors returns the standard deviation of each of the Coefficients, to first order:
// of records drawn anew, with the residuals' variance s², and of the noise,
//
//	Cov θ = M(s²A₊ + (σ₂² + σ₁²‖θ‖²)I + σ₁²θθᵀ)M,   M = (A₊ + λI)⁻¹.
//
// What the ridge shrinks the coefficients by is not in it. s² is SquaredError a record, 0 at
// least. An error if rows have no intercept.
func (s *Spectrum) StandardErrors(ridge float64) ([]float64, error) {
	n, err := s.moments.Records()
	if err != nil {
		return nil, err
	}
	m := s.moments
	residual := math.Max(0, s.SquaredError(ridge)) / n
	theta := s.Coefficients(ridge)
	noise := math.Hypot(m.VectorSigma, m.MatrixSigma*math.Sqrt(dotProduct(theta, theta)))
	variance, tilted := make([]float64, len(theta)), make([]float64, len(theta))
	for k, u := range s.eigen.Vectors {
		a, f := math.Max(0, s.eigen.Values[k]), gain(s.eigen.Values[k], ridge)
		weight, t := f*f*(residual*a+noise*noise), f*dotProduct(u, theta)
		for j, v := range u {
			variance[j] += weight * v * v
			tilted[j] += t * v
		}
	}
	for j, t := range tilted {
		variance[j] = math.Sqrt(variance[j] + m.MatrixSigma*m.MatrixSigma*t*t)
	}
	return variance, nil
}
