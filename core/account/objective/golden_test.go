package objective

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// Values in this file come from mpmath at 30 digits or more: closed forms, the
// hypergeometric form of χ_d's moment, and Gauss–Legendre quadrature on panels
// of an eighth in v between the kinks of the logistic loss.

// assertSafe holds a log δ̂ against the truth: not below it but for the last
// place, and above it by little.
func assertSafe(t *testing.T, want, got float64, name ...any) {
	t.Helper()
	assert.GreaterOrEqual(t, got, want-3e-16*math.Abs(want), "%v is safe", name)
	assert.LessOrEqual(
		t, got-want, 1e-12+1e-14*math.Abs(want), "%v is sharp: want %v, got %v", name, want, got,
	)
}

func TestGaussianValues(t *testing.T) {
	for _, c := range []struct{ epsilon, sigma, sensitivity, log float64 }{
		{0, 2, 1, -1.6224590640372049016},
		{1, 3.7, 1, -11.376989280260638336},
		{5, 0.3, 1, -0.79460522050735038117},
		{100, 1.5, 1, -11211.401358160911444},
		{0.001, 1000, 1, -9.3923763840394127522},
		{-0.5, 2, 1, -0.85501689927222892671},
		{3, 0.05, 1, -6.7550049315646437053e-23},
		{400, 8, 1, -5119819.1421456700473},
	} {
		event := privacy.Gaussian{
			Adjacency:   privacy.ReplaceOne,
			Sensitivity: c.sensitivity,
			Sigma:       c.sigma,
		}
		curve := curveOf(t, event, BoundAuto)
		assert.Equal(t, privacy.ReplaceOne, curve.Adjacency())
		assertSafe(t, c.log, curve.LogDeltaUpper(c.epsilon), c)
		lower, err := LowerBound(event)
		require.NoError(t, err)
		assert.LessOrEqual(t, lower.LogDeltaLower(c.epsilon), c.log)
		assert.GreaterOrEqual(t, lower.LogDeltaLower(c.epsilon), c.log-1e-12-1e-13*math.Abs(c.log))
	}
}

func glmEvent(rowNorm, lipschitz, smoothness, lambda, sigma float64) privacy.ObjectivePerturbation {
	return privacy.ObjectivePerturbation{
		Adjacency: privacy.AddRemove, Loss: privacy.LossGLM, RowNorm: rowNorm,
		Lipschitz: lipschitz, Smoothness: smoothness, Lambda: lambda, Sigma: sigma,
	}
}

func TestProfileValues(t *testing.T) {
	for _, c := range []struct {
		epsilon, lipschitz, rowNorm, smoothness, lambda, sigma,
		log float64
	}{
		{1, 1.0, 1.0, 0.25, 1.0, 3.7, -6.9072045493808633752},
		{0.1, 1.0, 1.0, 0.25, 0.26, 3.7, -0.034022918524244700193},
		{2, 0.8, 1.0, 0.25, 1.0, 1.0, -3.890902829090768849},
		{8, 1.0, 2.0, 1.0, 5.0, 1.0, -21.347512921733431049},
		{-0.3, 1.0, 1.0, 0.25, 2.0, 3.0, -0.65191989248209155707},
	} {
		curve := curveOf(
			t, glmEvent(c.rowNorm, c.lipschitz, c.smoothness, c.lambda, c.sigma), BoundProfile,
		)
		assertSafe(t, c.log, curve.LogDeltaUpper(c.epsilon), c)
	}
}

func TestRDPValues(t *testing.T) {
	for _, c := range []struct {
		alpha, lipschitz, smoothness, lambda, sigma, glm, smooth2,
		smooth50 float64
	}{
		{1.001, 1.0, 0.25, 1.0, 3.7, 0.53986283029730322104, 0.95063638141910514525, 16.32221319559713135},
		{2, 1.0, 0.25, 1.0, 3.7, 0.55386401541526823254, 0.96688996875264581287, 16.34048122685497691},
		{32, 0.8, 0.5, 3.0, 1.5, 4.7557922543747418977, 5.0358934852882932851, 15.947069845529585072},
	} {
		event := glmEvent(1, c.lipschitz, c.smoothness, c.lambda, c.sigma)
		added, removed, err := Renyi(event, BoundRDP)
		require.NoError(t, err)
		assert.InEpsilon(t, c.glm, added(c.alpha), 5e-14)
		assert.GreaterOrEqual(t, added(c.alpha), c.glm)
		assert.Equal(t, added(c.alpha), removed(c.alpha))
		event.Loss = privacy.LossSmooth
		for d, want := range map[int]float64{1: c.glm, 2: c.smooth2, 50: c.smooth50} {
			event.Dimension = d
			added, _, err := Renyi(event, BoundAuto)
			require.NoError(t, err)
			assert.InEpsilon(t, want, added(c.alpha), 5e-14, "d = %d", d)
			assert.GreaterOrEqual(t, added(c.alpha), want, "d = %d", d)
		}
	}
}

func TestSharperValues(t *testing.T) {
	for _, c := range []struct {
		epsilon, lipschitz, rowNorm, smoothness, lambda, sigma float64
		signedAdded, signedRemoved, glmAdded, glmRemoved       float64
	}{
		{1, 1.0, 1.0, 0.25, 1.0, 3.7, -8.3605861339654032994, -11.376989280260638336, -7.66743895340545799, -10.683842099700693027},
		{0.05, 1.0, 1.0, 0.25, 0.26, 3.7, -0.65072207858035774574, -2.4477900208639568426, -0.54776784349073157129, -1.7546428403040115332},
		{-0.3, 0.8, 1.0, 0.25, 2.0, 3.0, -0.888328584881859506, -1.0854180938063465539, -0.73404932178506023593, -0.87958104728888276186},
	} {
		event := glmEvent(c.rowNorm, c.lipschitz, c.smoothness, c.lambda, c.sigma)
		pair, err := Directions(event, BoundGLM)
		require.NoError(t, err)
		assertSafe(t, c.glmAdded, pair.Added.LogDeltaUpper(c.epsilon), c)
		assertSafe(t, c.glmRemoved, pair.Removed.LogDeltaUpper(c.epsilon), c)
		event.Loss = privacy.LossSigned
		pair, err = Directions(event, BoundSigned)
		require.NoError(t, err)
		assertSafe(t, c.signedAdded, pair.Added.LogDeltaUpper(c.epsilon), c)
		assertSafe(t, c.signedRemoved, pair.Removed.LogDeltaUpper(c.epsilon), c)
	}
}

func logisticEvent(rowNorm, lipschitz, lambda, sigma float64) privacy.ObjectivePerturbation {
	event := glmEvent(rowNorm, lipschitz, 0.25, lambda, sigma)
	event.Loss = privacy.LossLogistic
	return event
}

func TestLogisticValues(t *testing.T) {
	for _, c := range []struct{ rowNorm, lipschitz, lambda, sigma, epsilon, log float64 }{
		{1, 1, 10, 20, 0.05, -5.3499356035935711199},
		{1, 1, 10, 20, -0.025, -2.910100518020259122},
		{1, 1, 0.3, 3, 1, -6.0095454065364915345},
		{1, 1, 0.05, 3, 1, -0.59656800684878769063},
		{1, 1, 0.05, 3, 5, -92.075869723936449488},
		{1, 0.8, 1, 3.7, 0.1, -1.9674108337583099563},
		{1, 0.4, 0.05, 3, 1, -0.63234001210069041547},
		{100, 30, 20, 400, 1, -0.025978711659182436785},
		{1, 1, 0.001, 0.08, 5, -2.2033327733844632707e-9}, // a jump between two branches
		{0.01, 0.01, 1e-05, 0.04, 5, -193.13744446822617419},
		{1, 1, 0.5, 0.7, 0.1, -0.67608906273593920115},
		{1, 1, 0.01, 0.5, 1, -0.084448358052810517546},
	} {
		curve := curveOf(
			t, logisticEvent(c.rowNorm, c.lipschitz, c.lambda, c.sigma), BoundLogistic,
		)
		assertSafe(t, c.log, curve.LogDeltaUpper(c.epsilon), c)
	}
}

func TestMinimaValues(t *testing.T) {
	for _, c := range []struct{ rowNorm, lipschitz, lambda, sigma, muOut, epsilon, log float64 }{
		{1, 1, 10, 20, 0.05, 0.05, -4.2293054382098070069},
		{1, 1, 0.3, 3, 0.01, 1, -6.0035903838284423337},
		{1, 1, 0.3, 3, 0.7, 1, -1.8323824032703608573},
		{1, 1, 0.05, 3, 0.1, 5, -82.495713101496294768},
		{1, 0.4, 0.05, 3, 0.2, 1, -0.63227385501811909277},
		{1, 1, 1, 3.7, 0.001, 1, -11.376877213701937806},
		{1, 1, 0.5, 0.7, 2, -0.4, -0.15459518291056413625},
	} {
		event := privacy.ApproximateMinima{
			Objective: logisticEvent(c.rowNorm, c.lipschitz, c.lambda, c.sigma),
			Tau:       c.muOut * c.lambda / 2, SigmaOut: 1,
		}
		assertSafe(t, c.log, curveOf(t, event, BoundLogistic).LogDeltaUpper(c.epsilon), c)
	}
}

func TestLogisticRDPValues(t *testing.T) {
	for _, c := range []struct{ rowNorm, lipschitz, lambda, sigma, alpha, want float64 }{
		{1, 1, 10, 20, 1.5, 0.031542954069043318764},
		{1, 1, 0.3, 3, 8, 0.76731794728304600231},
		{1, 0.4, 0.05, 3, 2, 1.7756510110279694903},
		{1, 1, 0.5, 0.7, 1.01, 1.2430282648457788429},
	} {
		added, _, err := Renyi(
			logisticEvent(c.rowNorm, c.lipschitz, c.lambda, c.sigma), BoundLogistic,
		)
		require.NoError(t, err)
		assert.InEpsilon(t, c.want, added(c.alpha), 1e-12, "%v", c)
		assert.GreaterOrEqual(t, added(c.alpha), c.want, "%v", c)
	}
}
