package privacy

// ProposeTestRelease is the release of what Test releases, and then of what Release
// releases with as little noise as Test's output allows: Test looks how easy the data are,
// and where they are easy, less noise does. It never answers that it will not answer: where
// the data are not known to be easy, the release is one that suits all data.
//
// Test costs what it says on all data. Release costs what it says wherever the output of Test
// is right about the data, and Test is wrong with probability Failure at most, whatever the
// data are. Then
//
//	δ(ε) = Failure + δ of Composition{Test, Release}
//
// (Redberg's thesis, Algorithm 4 and Theorem 3.5.7, made sharp). Proof: let G be the outputs
// of Test that are right about the data X. Of the outputs with the larger probability under
// X, those outside G weigh at most Failure; and inside G, Release costs what it says, so that
// they are an adaptive composition's, with Release replaced outside G by something that
// ignores the data. ∎ It is enough that Release keeps its price at X against each of X's
// neighbours, in that direction: each pair is dealt with at its first member.
//
// It is not the composition with a (0, Failure)-DP mechanism, which costs less: what is
// left of the probability, 1 − Failure, may carry all of the loss.
type ProposeTestRelease struct {
	Test    Event
	Release Event

	// Failure is δ′, 0 or from 1e-300 to below 1.
	Failure float64

	// Neighbour is needed inside a selection, and 0 where it is not known. It bounds the
	// probability, under any neighbour of any data set X, of the outputs of Test that are
	// wrong about X; and Release then keeps its price at X in both directions.
	Neighbour float64
}

func (ProposeTestRelease) Mechanism() string { return "propose-test-release" }

// Neighbours is Test's adjacency, and none when there is no Test.
func (e ProposeTestRelease) Neighbours() Adjacency { return neighboursOf(e.Test) }

// Validate checks Test and Release, which must have one adjacency, the probabilities, and
// that no more than [DeepestNesting] compositions and selections stand inside one another.
func (e ProposeTestRelease) Validate() error {
	if err := checkNesting(e); err != nil {
		return err
	}
	if err := checkInner("test", e.Test, neighboursOf(e.Test)); err != nil {
		return err
	}
	if err := checkInner("release", e.Release, e.Test.Neighbours()); err != nil {
		return err
	}
	return FirstError(
		checkProbabilityOrZero("failure", e.Failure),
		checkProbabilityOrZero("neighbour", e.Neighbour),
	)
}

// Composition is what it is but for its failure.
func (e ProposeTestRelease) Composition() Composition {
	return Composition{Adjacency: e.Neighbours(), Parts: Parts(e)}
}

func checkProbabilityOrZero(field string, x float64) error {
	if x == 0 {
		return nil
	}
	return orZero(checkProbability(field, x))
}

func decodeProposeTestRelease(f *Fields) Event {
	outer := f.Adjacency()
	e := ProposeTestRelease{
		Test: f.Event("test"), Release: f.Event("release"), Failure: f.Number("failure"),
		Neighbour: f.NumberOr("neighbour", 0),
	}
	if e.Test != nil && outer.Valid() && e.Test.Neighbours() != outer {
		f.Bad("adjacency", quote(e.Test.Neighbours().String())+", that of the test")
	}
	return e
}

func (e ProposeTestRelease) encode(tree map[string]any) {
	tree["test"] = EncodeEvent(e.Test)
	tree["release"] = EncodeEvent(e.Release)
	tree["failure"] = e.Failure
	if e.Neighbour != 0 {
		tree["neighbour"] = e.Neighbour
	}
}

// RenyiDP is any mechanism whose Rényi divergence of order Order is Epsilon at most, in both
// directions. Nothing is known of higher orders; at lower ones it is no larger. Order is from
// 1 + 1e-9 to 1e9; Epsilon, in nats, is 0 or from 1e-50 to 1e50.
type RenyiDP struct {
	Adjacency Adjacency
	Order     float64 // α
	Epsilon   float64
}

// LeastOrder and LargestOrder bound the order of [RenyiDP].
const (
	LeastOrder   = 1 + 1e-9
	LargestOrder = 1e9
)

func (RenyiDP) Mechanism() string       { return "renyi-dp" }
func (e RenyiDP) Neighbours() Adjacency { return e.Adjacency }

// Validate checks [LeastOrder] ≤ Order ≤ [LargestOrder], that Epsilon is 0 or lies from
// [LeastScale] to [LargestScale], and the adjacency.
func (e RenyiDP) Validate() error {
	return FirstError(
		CheckAdjacency(e.Adjacency), checkBetween("order", e.Order, LeastOrder, LargestOrder),
		checkScaleOrZero("epsilon", e.Epsilon),
	)
}

func decodeRenyiDP(f *Fields) Event {
	return RenyiDP{
		Adjacency: f.Adjacency(), Order: f.Number("order"), Epsilon: f.Number("epsilon"),
	}
}

func (e RenyiDP) encode(tree map[string]any) {
	tree["order"] = e.Order
	tree["epsilon"] = e.Epsilon
}
