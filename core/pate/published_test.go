package pate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Golden values R, gnss_rdp and published_pate_test.
func TestGoldenSmooth(t *testing.T) {
	const wide, middle, narrow = 0.015740594994490792, 0.007870297497245396, 0.001967574374311349
	for _, c := range []struct{ alpha, beta, sigma, exact, simplified, papernot float64 }{
		{5, 0.04, 10, 0.04813803720075222, 0.06, 0.16801755635449678},
		{5, 0.04, 15, 0.027310485469777896, 0.02666666666666667, 0.13792624891908126},
		{20, 0.01, 15, 0.07487239817946308, 0.09333333333333334, 0.11465365892019676},
		{20, 0.02, 200, 0.020414566067514853, 0.000525, 0.06392666624062515},
		{25.412, middle, 10, 0.20954031316375527, 0.26411999999999997, 0.2768069317927779},
		{25.412, middle, 15, 0.09433084769757373, 0.11738666666666667, 0.13338935011522635},
		{25.412, middle, 50, 0.010458356838193562, 0.0105648, 0.028981350653968837},
		{25.412, narrow, 15, 0.06259092924160188, 0.11738666666666667, 0.11759368098763132},
		{25.412, wide, 200, 0.016789476896894185, 0.0006603, 0.05000507563043449},
	} {
		near(t, c.exact, Smooth(c.alpha, c.beta, c.sigma), 1e-7)
		near(t, c.simplified, (c.alpha+1)/(c.sigma*c.sigma), 1e-12)
		// Papernot et al. 2018, Theorem 23, which is a bound.
		near(t, c.papernot, c.alpha*math.Exp(2*c.beta)/(c.sigma*c.sigma)+
			(c.beta*c.alpha-math.Log1p(-2*c.alpha*c.beta)/2)/(c.alpha-1), 1e-12)
		assert.Less(t, c.exact, c.papernot)
	}
	for _, c := range []struct{ epsilon, delta, alpha, sigma, beta, exact float64 }{
		{0.5, 1e-5, 49.824290582120696, 17.40533663830505, 0.004014106325715944, 0.21893791731608878},
		{0.1, 1e-5, 245.12145291060347, 85.86992248347558, 0.000815922056699544, 0.04448957352864692},
		{2, 1e-6, 15.508657738524219, 4.925747314650471, 0.012896022555400833, 0.8378300648928745},
	} {
		alpha, sigma, beta := PublishedTest(c.epsilon, c.delta)
		near(t, c.alpha, alpha, 1e-12)
		near(t, c.sigma, sigma, 1e-12)
		near(t, c.beta, beta, 1e-12)
		// The logarithm of the bound is released too, with noise βσ.
		exact := Smooth(alpha, beta, sigma) + alpha/(2*sigma*sigma)
		near(t, c.exact, exact, 1e-7)
		// ε̂/2 is charged for it, which is valid there and wasteful.
		assert.Less(t, exact, c.epsilon/2)
	}
}

// The thesis charges (α+1)/σ² for every σ, which fails for large ones: the divergence does not
// vanish as the noise grows, because its size is an output.
func TestTheSmoothReleaseIsNotPricedByTheThesis(t *testing.T) {
	assert.Greater(t, Smooth(20, 0.01, 50), 21./(50*50))
	assert.InDelta(t, 0.00923, Smooth(20, 0.01, 50), 5e-6)
	assert.Greater(t, Smooth(20, 0.01, 1e6), 0.0005)
}
