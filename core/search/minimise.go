package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Certificate is what a search knows of its result. It is for the data holder
// alone: all of it depends on the records, and none of it was paid for.
type Certificate struct {
	// Objective is T·f(w), plus the costs, less the noise; of Gumbel noise,
	// rounded up to whole units.
	Objective int64

	// Loss is f(w), summed anew over the cells once the search was over.
	Loss int64

	Nodes    int64 // that were visited
	Complete bool  // whether every node was visited or left out by a bound
}

// MarshalJSON is an error: nothing of a Certificate may be written beside a
// release by accident.
func (Certificate) MarshalJSON() ([]byte, error) {
	return nil, errors.New(
		"search: a certificate is for the data holder alone and has no JSON form",
	)
}

// Progress is how far a search is, for the data holder alone.
type Progress struct {
	Nodes int64
	Done  float64 // the share of W that was looked at or left out
}

// Options are what does not change the result.
type Options struct {
	// Report is called now and then, in the middle of the search, if it is set.
	Report func(Progress)
}

// FaultError says that a search contradicted itself. It is a fault of this
// program; its result must not be used.
type FaultError struct{ Found, Recomputed int64 }

func (e *FaultError) Error() string {
	return fmt.Sprintf(
		"search: a fault: the loss found is %d and the loss counted again is %d; nothing may be released",
		e.Found,
		e.Recomputed,
	)
}

// every is how many nodes lie between two looks at the context.
const every = 1 << 10

// Minimise returns the first w of W, in the order of [Points.Before], that has
// the least objective: T·f(w) with what the perturbation adds. It is exact: no
// step rounds. A context that is done ends the search with its error, and with
// no points: what was the best so far is nobody's to see, because noise was
// spent on it.
//
// Errors are those of [Shape.Check], of counts and parameters, of the source of
// randomness, of the context, and *FaultError.
func Minimise(
	ctx context.Context, problem Problem, perturbation Perturbation, options Options,
) (Points, Certificate, error) {
	if err := problem.check(); err != nil {
		return nil, Certificate{}, err
	}
	if err := perturbation.check(problem.Shape); err != nil {
		return nil, Certificate{}, err
	}
	d, err := newDescent(ctx, problem, perturbation, options)
	if err != nil {
		return nil, Certificate{}, err
	}
	if err := d.run(); err != nil {
		return nil, Certificate{}, err
	}
	loss := problem.Loss(d.best)
	if found := d.bestObjective - d.costsOf(d.best); found != loss*d.denominator {
		return nil, Certificate{}, &FaultError{found / d.denominator, loss}
	}
	return d.best, Certificate{
		Objective: d.bestObjective - d.bestNoise.lower,
		Loss:      loss,
		Nodes:     d.nodes,
		Complete:  true,
	}, nil
}

// descent is the state of a search in depth first.
type descent struct {
	ctx         context.Context
	options     Options
	bound       int // B
	denominator int64
	race        race
	costs       [][]int64
	squares     squares
	tables      []*table
	// future[k]: all positives, and the least costs of the attributes from stage k on
	future []int64

	// points are those of the levels that have one, and −B of the others: the first
	// completion, in the public order, of the node that is looked at.
	points Points

	best          Points
	bestObjective int64 // without noise
	bestNoise     noise
	found         bool

	blind bool // for tests: take 0 for every bound
	size  uint64
	done  float64 // points of W looked at or left out
	nodes int64
	parts []uint64 // 2B+1 equal counts
	stack []child  // children of the nodes above, 2B+1 a level
}

// child is a node that may be visited.
type child struct {
	point int   // v
	norm  int   // the sum of the squares of the points so far
	bound int64 // on the objective without noise of all that is below it
	limit int64 // on its noise
	noise noise
	drawn bool
}

func newDescent(
	ctx context.Context, p Problem, perturbation Perturbation, options Options,
) (*descent, error) {
	order := p.Order
	if order == nil {
		order = p.Shape.Order()
	}
	d := &descent{
		ctx: ctx, options: options, bound: p.Bound, denominator: perturbation.denominator(),
		race: still{}, size: p.Size(),
	}
	switch perturbation := perturbation.(type) {
	case Separable:
		d.costs, d.squares = perturbation.Costs, newSquares(perturbation.Squares, p.Shape)
	case Noise:
		var err error
		if d.race, err = perturbation.race(); err != nil {
			return nil, err
		}
	}
	d.tables = newTables(p, order, d.costs)
	d.future = make([]int64, len(order)+1)
	for _, n := range p.Positives {
		d.future[len(order)] += n * d.denominator
	}
	for k := len(order) - 1; k >= 0; k-- {
		d.future[k] = d.future[k+1]
		for _, costs := range d.tables[k].costs {
			d.future[k] += slices.Min(costs)
		}
	}
	points := 2*p.Bound + 1
	d.points = make(Points, p.Dimension())
	for j := range d.points {
		d.points[j] = int8(-p.Bound)
	}
	d.parts = make([]uint64, points)
	d.stack = make([]child, points*p.Dimension())
	return d, nil
}

func (d *descent) run() error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	top, err := d.race.start(d.size)
	if err != nil {
		return err
	}
	if err := d.attribute(0, 0, 0, 0, d.size, top); err != nil {
		return err
	}
	d.report()
	return d.ctx.Err()
}

// attribute visits a node at which all attributes before stage k have their
// points, at these costs and with these squares. leaves are below it.
func (d *descent) attribute(k, depth, norm int, paid int64, leaves uint64, above noise) error {
	t := d.tables[k]
	t.bound(d.bound, d.denominator)
	return d.level(k, 0, depth, norm, paid, paid+d.future[k+1], leaves, above)
}

// level visits a node at which the levels before l of attribute k have their
// points too, whose squares sum to norm: they cost paid, and with the bounds of those
// levels, base.
func (d *descent) level(
	k, l, depth, norm int, paid, base int64, leaves uint64, above noise,
) error {
	if err := d.visit(); err != nil {
		return err
	}
	t := d.tables[k]
	if d.skips(base+t.least[l]+d.squares.least(depth, norm), above.upper) {
		d.done += float64(leaves)
		return nil
	}
	points := len(d.parts)
	leaves /= uint64(points)
	for i := range d.parts {
		d.parts[i] = leaves
	}
	owner, err := d.race.owner(above, d.parts)
	if err != nil {
		return err
	}
	children := d.stack[depth*points : (depth+1)*points]
	bounds := t.bounds[l*points : (l+1)*points]
	for i := range children {
		c := child{
			point: i,
			norm:  norm + (i-d.bound)*(i-d.bound),
			bound: base + bounds[i] + t.least[l+1],
			limit: d.race.limit(above, i, owner),
		}
		c.bound += d.squares.least(depth+1, c.norm)
		if i == owner {
			c.noise, c.limit, c.drawn = above, above.upper, true
		}
		children[i] = c
	}
	sortChildren(children)
	at := t.first + l
	for i := range children {
		c := &children[i]
		d.points[at] = int8(c.point - d.bound)
		if d.skips(c.bound, c.limit) {
			d.done += float64(leaves)
			continue
		}
		if !c.drawn {
			if c.noise, err = d.race.draw(above, leaves, c.point, owner); err != nil {
				return err
			}
		}
		if err := d.descend(k, l, depth, paid, base, leaves, *c); err != nil {
			return err
		}
	}
	d.points[at] = int8(-d.bound)
	return nil
}

// descend goes to a child, whose point is set.
func (d *descent) descend(k, l, depth int, paid, base int64, leaves uint64, c child) error {
	t := d.tables[k]
	if d.skips(c.bound, c.noise.upper) {
		d.done += float64(leaves)
		return nil
	}
	if t.costs != nil {
		paid += t.costs[l][c.point]
	}
	base += t.bounds[l*len(d.parts)+c.point]
	if l+1 < t.levels {
		return d.level(k, l+1, depth+1, c.norm, paid, base, leaves, c.noise)
	}
	if k+1 < len(d.tables) {
		t.merge(d.tables[k+1], d.points, d.bound)
		return d.attribute(k+1, depth+1, c.norm, paid, leaves, c.noise)
	}
	d.done++
	return d.leaf(base+d.squares.least(depth+1, c.norm), c.noise)
}

// skips is whether nothing of a node whose objective without noise is at least
// bound, and whose noise is at most noise, can come before the best point found. Of
// those that may tie with it, none is before the node's first completion.
func (d *descent) skips(bound, noise int64) bool {
	if !d.found {
		return false
	}
	if d.blind {
		bound = min(bound, 0)
	}
	least, best := bound-noise, d.bestObjective-d.bestNoise.lower
	return least > best || least == best && !d.points.Before(d.best)
}

// leaf compares a point with the best one.
func (d *descent) leaf(objective int64, n noise) error {
	if d.found {
		before, equal, err := d.race.before(objective-d.bestObjective, n, d.bestNoise)
		if err != nil {
			return err
		}
		if !before && !(equal && d.points.Before(d.best)) {
			return nil
		}
	}
	d.found, d.bestObjective, d.bestNoise = true, objective, n
	d.best = append(d.best[:0], d.points...)
	return nil
}

func (d *descent) visit() error {
	if d.nodes++; d.nodes%every != 0 {
		return nil
	}
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if d.nodes%(every<<2) == 0 {
		d.report()
	}
	return nil
}

func (d *descent) report() {
	if d.options.Report != nil {
		d.options.Report(Progress{Nodes: d.nodes, Done: math.Min(1, d.done/float64(d.size))})
	}
}

func (d *descent) costsOf(w Points) int64 {
	sum, norm := int64(0), 0
	for j, costs := range d.costs {
		sum += costs[int(w[j])+d.bound]
		norm += int(w[j]) * int(w[j])
	}
	return sum + d.squares.least(len(w), norm)
}

// sortChildren puts those first that may have the least.
func sortChildren(children []child) {
	least := func(j int) int64 { return children[j].bound - children[j].limit }
	for i := 1; i < len(children); i++ {
		for j := i; j > 0 && least(j) < least(j-1); j-- {
			children[j-1], children[j] = children[j], children[j-1]
		}
	}
}
