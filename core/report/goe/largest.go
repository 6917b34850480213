package goe

import (
	"math"
	"strconv"

	"cloister/core/privacy"
	"cloister/core/special"
)

// MaxDimension is the largest d for which the distribution is computed.
const MaxDimension = 200

// Largest is the distribution of the largest eigenvalue λ₁ for one dimension.
//
// # The formula
//
// The eigenvalues of the ensemble divided by √2 have density
// ∝ Π_{i<j}|xᵢ − xⱼ|·Π e^{−xᵢ²/2}. By de Bruijn's integration (1955), as in
// Chiani's Theorem 2,
//
//	P[λ₁ ≤ √2·t] = Pf A(t)/Pf A(∞),   A(t)ᵢⱼ = ∫∫_{x,y ≤ t} sgn(y − x) φᵢ(x) φⱼ(y) dx dy
//
// for any basis φ₀, …, φ_{d−1} of the polynomials times e^{−x²/2}; for odd d, A has
// one column more, ∫_{x ≤ t} φᵢ, and its negative as a row.
//
// Chiani takes monomials, which needs many digits. Here φₖ are the orthonormal
// Hermite functions, for which A(∞) has a condition number of some d, and what
// is computed is the difference: with B = A(∞) − A(t) and X = A(∞)⁻¹B,
// F² = det(I − X). X is small in the upper tail and the elimination keeps its
// pivots as 1 − s, so that 1 − F = −expm1(½Σ log(1 − s)) has no cancellation.
//
// With Tᵢ = ∫_t^∞ φᵢ and Iᵢ = ∫_{−∞}^t φᵢ,
//
//	Bᵢⱼ = IᵢTⱼ − TᵢIⱼ + Cᵢⱼ,   Cᵢⱼ = ∫_t^∞∫_t^∞ sgn(y − x) φᵢ(x) φⱼ(y) = ∫_t^∞ φⱼ(y)(Tᵢ(t) − 2Tᵢ(y)) dy,
//
// and φₖ′ = √(k/2) φₖ₋₁ − √((k+1)/2) φₖ₊₁ gives the recursions for T and A(∞).
type Largest struct {
	d, order int
	total    []float64   // Jᵢ = ∫ φᵢ
	inverse  [][]float64 // A(∞)⁻¹
}

// NewLargest returns the distribution for matrices of order d, 1 ≤ d ≤
// MaxDimension; else a *privacy.ParameterError for "dimension".
func NewLargest(d int) (*Largest, error) {
	if d < 1 || d > MaxDimension {
		return nil, &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(d),
			Want:  "from 1 to " + strconv.Itoa(MaxDimension),
		}
	}
	l := &Largest{d: d, order: d + d%2, total: make([]float64, d)}
	for k := range l.total {
		switch {
		case k == 0:
			l.total[k] = math.Sqrt2 * math.Sqrt(math.Sqrt(math.Pi))
		case k%2 == 0:
			l.total[k] = math.Sqrt(float64(k-1)/float64(k)) * l.total[k-2]
		}
	}
	a := square(l.order)
	for i := range d {
		if i > 0 {
			a[i][0] = -a[0][i]
		}
		for j := range d - 1 {
			next := 0.0
			if j > 0 {
				next = math.Sqrt(float64(j)/float64(j+1)) * a[i][j-1]
			}
			if i == j {
				next += 2 * math.Sqrt(2/float64(j+1))
			}
			a[i][j+1] = next
		}
		if l.order > d {
			a[i][d], a[d][i] = l.total[i], -l.total[i]
		}
	}
	l.inverse = invert(a)
	return l, nil
}

// CDF is P[λ₁ ≤ x], with an absolute error below 1e-11 where it is above 1e-3.
func (l *Largest) CDF(x float64) float64 { return math.Exp(l.logCDF(x)) }

// Survival is P[λ₁ > x], with a relative error below 1e-9 from the median on.
func (l *Largest) Survival(x float64) float64 { return -math.Expm1(l.logCDF(x)) }

// logCDF is ½ log det(I − X); −Inf where the elimination breaks down, far below
// the median.
func (l *Largest) logCDF(x float64) float64 {
	b := l.difference(x / math.Sqrt2)
	s := square(l.order)
	for i, row := range l.inverse {
		for k, w := range row {
			if w != 0 {
				for j, v := range b[k] {
					s[i][j] += w * v
				}
			}
		}
	}
	sum := 0.0
	for k := range s {
		pivot := 1 - s[k][k]
		if !(pivot > 0) {
			return math.Inf(-1)
		}
		sum += math.Log1p(-s[k][k])
		for i := k + 1; i < len(s); i++ {
			ratio := s[i][k] / pivot
			for j := k + 1; j < len(s); j++ {
				s[i][j] += ratio * s[k][j]
			}
		}
	}
	return math.Min(sum/2, 0)
}

// difference is B.
func (l *Largest) difference(t float64) [][]float64 {
	d := l.d
	_, tails := hermite(t, d)
	b := square(l.order)
	// C, by panels of half the scale d^(-1/6) on which the φₖ change near the edge
	// √(2d); 6 scales beyond it they have vanished.
	scale := math.Pow(float64(d), -1.0/6)
	far := math.Max(t, math.Sqrt(2*float64(d))) + 6*scale
	panels := int(math.Ceil(2 * (far - t) / scale))
	for p := range panels {
		low, width := t+(far-t)*float64(p)/float64(panels), (far-t)/float64(panels)
		for q, node := range rule.Nodes {
			values, rest := hermite(low+width*node, d)
			weight := 2 * width * rule.Weights[q]
			for i := range d {
				w := weight * rest[i]
				for j, v := range values {
					b[i][j] -= w * v
				}
			}
		}
	}
	for i := range d {
		for j := range i {
			// C is skew: the mean of both estimates.
			c := (b[i][j] - b[j][i]) / 2
			first := (l.total[i]-tails[i])*tails[j] - tails[i]*(l.total[j]-tails[j])
			b[i][j], b[j][i] = first+c, -first-c
		}
		b[i][i] = 0
		if l.order > d {
			b[i][d], b[d][i] = tails[i], -tails[i]
		}
	}
	return b
}

// rule integrates over one panel of C.
var rule = special.GaussLegendre(8)

// hermite returns φ₀(x), …, φ_{d−1}(x), and the integrals of each from x to ∞.
func hermite(x float64, d int) (values, tails []float64) {
	values, tails = make([]float64, d), make([]float64, d)
	scale := 1 / math.Sqrt(math.Sqrt(math.Pi))
	values[0] = scale * math.Exp(-x*x/2)
	tails[0] = scale * math.Sqrt(math.Pi/2) * math.Erfc(x/math.Sqrt2)
	for k := range d - 1 {
		n := float64(k + 1)
		values[k+1] = x * math.Sqrt(2/n) * values[k]
		tails[k+1] = math.Sqrt(2/n) * values[k]
		if k > 0 {
			ratio := math.Sqrt((n - 1) / n)
			values[k+1] -= ratio * values[k-1]
			tails[k+1] += ratio * tails[k-1]
		}
	}
	return values, tails
}

func square(n int) [][]float64 {
	cells := make([]float64, n*n)
	a := make([][]float64, n)
	for i := range a {
		a[i], cells = cells[:n:n], cells[n:]
	}
	return a
}

// invert returns the inverse by Gauss–Jordan elimination with row interchanges;
// it overwrites a.
func invert(a [][]float64) [][]float64 {
	n := len(a)
	inverse := square(n)
	for i := range inverse {
		inverse[i][i] = 1
	}
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[best][k]) {
				best = i
			}
		}
		a[k], a[best] = a[best], a[k]
		inverse[k], inverse[best] = inverse[best], inverse[k]
		pivot := a[k][k]
		for j := range n {
			a[k][j] /= pivot
			inverse[k][j] /= pivot
		}
		for i := range n {
			if ratio := a[i][k]; i != k && ratio != 0 {
				for j := range n {
					a[i][j] -= ratio * a[k][j]
					inverse[i][j] -= ratio * inverse[k][j]
				}
			}
		}
	}
	return inverse
}
