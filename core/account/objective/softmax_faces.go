package objective

import (
	"math"

	"cloister/core/special"
)

// softmaxFaces is a bound on the added direction of the softmax loss that charges nothing
// for curvature where one other class takes all of p, and little on the faces of several.
//
// # Theorem (faces)
//
// With the notation of softmaxDirections, κ > 0, the loss of the added direction is at most
// max(2κ, G), where for every g, with g' = g − r²/2 − ρ,
//
//	P(G ≥ g) ≤ E_u Π(ru + g'),   Π(x) = P(Σ_{k=1}^{K−1} [(r·v_k − x + κ)/(2κ)]₊² ≥ 1),
//
// u and v_k being independent N(0, 1).
//
// Proof. The loss is at most f_t(a) = a⟨t, m⟩ − κ(1 + z)a² + 2ρa, z = ‖t‖² ≤ 1, 0 ≤ a ≤ 1.
// Let e ≥ 2κ. If f_t(1) ≥ e, then f_t(1) − f_t(a) = (1−a)[f_t(1) − κ(1+z)a] ≥ (1−a)(e − 2κ)
// ≥ 0. If f_t(1) < e, raise ⟨t, m⟩ until it is e: f_t(a) ≤ e. With e = 2κ the loss is at most
// max(2κ, f_t(1)) for all a, and so at most max(2κ, G), G = max_t f_t(1) = ρ + r²/2 + max_t
// {⟨t, m⟩ − κ‖t‖²} over the simplex. Lagrange duality makes of the last min_θ {θ + Σ[m_k −
// θ]₊²/(4κ)}. So where G ≥ g, θ + Σ[m_k − θ]₊²/(4κ) ≥ g' for every θ; take θ = g' − κ, and
// divide by κ: Σ[(m_k − g' + κ)/(2κ)]₊² ≥ 1. Given v_y = u, m_k = r·v_k − ru, and the
// terms are independent. ∎
//
// # What is computed
//
// δ(ε) = ∫_ε^∞ e^{ε−g} P(ω ≥ g) dg for a loss ω ≥ 2κ, at ε ≥ 2κ. With x = r·y, and k =
// κ/r, the order of integration is changed so that one integral ∫ Π(y) w(y) dy is left, w
// the density of y = (ε − r²/2 − ρ)/r + (exponential)/r + u:
//
//	w(y) = r·e^{−r(y − h) + r²s²/2}·Φ(−(h − y)/s − rs),   h = (ε − r²/2 − ρ)/r, s = 1.
//
// Composed with a Gaussian mechanism of ratio μ_o, whose loss adds N(μ_o²/2, μ_o²), it is
// the same with h less by μ_o²/(2r) and s² = 1 + μ_o²/r²; and P(2κ + w ≥ g) adds δ_G(ε −
// 2κ; μ_o).
//
// Both factors are bounded from above cell by cell. w is log-concave, as a convolution of
// log-concave densities: it lies below its tangent. And {Σ[(v_k − y + k)/(2k)]₊² ≤ 1} is
// convex in v and y together, so by Ehrhard's inequality (Borell 2003) −Φ⁻¹(1 − Π(y)) =
// Φ⁻¹(Π(y)) is convex in y: Π lies below Φ of the chord between two nodes, and that below
// its own log-linear tangent, Φ being log-concave. At the nodes Π is rounded up
// ([softmaxFaces.node]).
type softmaxFaces struct {
	softmax
	k     float64         // κ/r
	nodes map[int]float64 // Φ⁻¹(Π) at y = i·faceSpacing, or more
}

const (
	faceSpacing    = 0.25 // of nodes, in y
	faceCells      = 4    // cells between two nodes
	faceSteps      = 256  // of [0, 1], on which squares are added up
	mostFaces      = 4096 // nodes for an ε
	faceNegligible = 20.0 // nats below the result that may be left to the rest's bound
)

func newSoftmaxFaces(s softmax) *softmaxFaces {
	return &softmaxFaces{softmax: s, k: s.kappa / s.r, nodes: map[int]float64{}}
}

func (f *softmaxFaces) logDelta(epsilon float64) float64 {
	if !(epsilon >= 2*f.kappa) {
		return math.Inf(1)
	}
	return f.integral(epsilon, 0)
}

func (f *softmaxFaces) logDeltaWithGaussian(epsilon, muOut float64) float64 {
	if !(epsilon >= 2*f.kappa) {
		return math.Inf(1)
	}
	return special.LogAddExp(
		f.integral(epsilon, muOut), logGaussianDelta(epsilon-2*f.kappa, muOut),
	)
}

// integral is log ∫ Π(y) w(y) dy, or more.
func (f *softmaxFaces) integral(epsilon, muOut float64) float64 {
	scale := math.Hypot(1, muOut/f.r)
	h := (epsilon - f.r*f.r/2 - f.rho - muOut*muOut/2) / f.r
	h -= 0x1p-48 * (math.Abs(h) + (epsilon+f.rho+muOut*muOut)/f.r + f.r)
	least := logGaussianDelta(epsilon, math.Hypot(f.mu, muOut))
	// Left of low w has at most the mass of u there; it ends at a node.
	first := math.Floor((h + scale*special.NormalQuantileLog(least-faceNegligible)) / faceSpacing)
	if !(math.Abs(first) < 1<<40) {
		return math.Inf(1)
	}
	i := int(first)
	total := special.LogNormalCDF((float64(i)*faceSpacing - h) / scale)
	for count := 0; ; count++ {
		here, next := f.node(i), f.node(i+1)
		if count > mostFaces || math.IsNaN(here) || math.IsNaN(next) {
			return math.Inf(1)
		}
		for c := range faceCells {
			total = special.LogAddExp(total, f.cell(i, c, here, next, h, scale))
		}
		i++
		// What is right of here has no more mass than Π times 1.
		if rest := special.LogNormalCDF(next); rest < total-faceNegligible {
			return special.LogAddExp(total, rest)
		}
	}
}

// cell is log ∫ Π w over cell c of those right of node i, or more.
func (f *softmaxFaces) cell(i, c int, here, next, h, scale float64) float64 {
	const width = faceSpacing / faceCells
	y := float64(i)*faceSpacing + (float64(c)+0.5)*width
	z := (h-y)/scale + f.r*scale
	fall, lift, survival := f.r*(y-h), f.r*f.r*scale*scale/2, special.LogNormalSurvival(z)
	logW := math.Log(f.r) - fall + lift + survival
	slack := 0x1p-40 + 0x1p-47*(math.Abs(fall)+lift+math.Abs(survival))
	slope := -f.r + 1/(scale*special.Mills(z))
	logPi := 0.0
	if here < certainFace {
		along := (float64(c) + 0.5) / faceCells
		at := here + (next-here)*along
		logPi = special.LogNormalCDF(at)
		slope += (next - here) / faceSpacing / special.Mills(-at)
	}
	return logPi + logW + math.Log(width) + logSinhc(slope*width/2) + slack
}

// certainFace is a probit from which a probability counts as 1.
const certainFace = 6.0

// logSinhc is log(sinh(x)/x).
func logSinhc(x float64) float64 {
	x = math.Abs(x)
	if x < 1e-4 {
		return x * x / 6
	}
	return x + math.Log(-math.Expm1(-2*x)/(2*x))
}

// node is Φ⁻¹(Π(y)) at y = i·faceSpacing, or more; certainFace and more stand for a
// probability of 1.
func (f *softmaxFaces) node(i int) float64 {
	if probit, ok := f.nodes[i]; ok {
		return probit
	}
	power := faceOf(f.k, float64(i)*faceSpacing)
	total, n := (*face)(nil), int(f.classes)-1
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			total = power.plus(total)
		}
		if n > 1 {
			power = power.plus(power)
		}
	}
	probit := certainFace
	// Nothing but sums of positive numbers: a few thousand roundings at most.
	if log := math.Log(total.beyond) + 0x1p-38; log < special.LogNormalCDF(certainFace) {
		probit = special.NormalQuantileLog(log)
		probit += 0x1p-40 * math.Max(1, math.Abs(probit))
	}
	f.nodes[i] = probit
	return probit
}

// face is the law of a sum of squares W ≥ 0, in steps of 1/faceSteps: at[0] is the
// probability of 0, at[j] that of a number in ((j−1)/n, j/n], each term rounded up, and
// beyond that of more than 1. Because terms are rounded up, a sum whose steps are n or
// fewer is no more than 1.
type face struct {
	at     [faceSteps + 1]float64
	beyond float64
}

// faceOf is the law of [(v − y + k)/(2k)]₊².
func faceOf(k, y float64) *face {
	f := &face{}
	low := y - k
	f.at[0] = special.NormalCDF(low)
	before := 0.0
	for j := 1; j <= faceSteps; j++ {
		root := math.Sqrt(float64(j) / faceSteps)
		f.at[j] = special.NormalMassFrom(low+2*k*before, 2*k*(root-before))
		before = root
	}
	f.beyond = special.NormalSurvival(low + 2*k)
	return f
}

// plus is the law of the sum of two that are independent; of f alone if other is nil.
func (f *face) plus(other *face) *face {
	if other == nil {
		return f
	}
	sum := &face{}
	// tails[j]: other takes j steps or more, or is beyond.
	var tails [faceSteps + 2]float64
	tails[faceSteps+1] = other.beyond
	for j := faceSteps; j >= 0; j-- {
		tails[j] = tails[j+1] + other.at[j]
	}
	sum.beyond = f.beyond
	for i, p := range f.at {
		if p == 0 {
			continue
		}
		for j, q := range other.at[:faceSteps+1-i] {
			sum.at[i+j] += p * q
		}
		sum.beyond += p * tails[faceSteps+1-i]
	}
	return sum
}
