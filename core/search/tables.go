package search

import "slices"

// table is what is left of the counts once the attributes before stage k have
// their points: for every pattern of levels of the attributes from k on, and
// every score s in [−Bk, Bk] that the cells of the pattern may have so far, the
// negatives less the positives. A pattern is a row; the level of attribute k
// runs slowest.
//
// Where c points are to come, the records of a row z that are wrong are all its
// positives and Σ_{s ≥ 1−c} z[s]. So the loss of a scorecard is all positives of
// the problem and the sum over rows of Σ_{s ≥ 1−c} z[s].
type table struct {
	levels int // L of attribute k
	first  int // where its levels begin in the points of the shape
	below  int // rows for each level
	width  int // 2Bk + 1 scores
	after  int // m, the number of attributes after k

	costs [][]int64 // of the levels of attribute k; nil for none
	rows  []int64

	bounds []int64 // by level and point, see bound
	least  []int64 // least[l] is the sum over levels l, l+1, … of their least bound
	sums   []int64 // scratch
	left   []int64 // scratch
}

// newTables makes room for every stage of a search, and lays the counts out as
// the rows of stage 0.
func newTables(p Problem, order []int, costs [][]int64) []*table {
	b, k := p.Bound, len(order)
	firsts := make([]int, k)
	for g := 1; g < k; g++ {
		firsts[g] = firsts[g-1] + p.Levels[g-1]
	}
	tables := make([]*table, k)
	rows := 1
	for i := k - 1; i >= 0; i-- {
		g := order[i]
		t := &table{
			levels: p.Levels[g],
			first:  firsts[g],
			below:  rows,
			width:  2*b*i + 1,
			after:  k - 1 - i,
		}
		rows *= t.levels
		if costs != nil {
			t.costs = costs[t.first : t.first+t.levels]
		}
		t.rows = make([]int64, rows*t.width)
		t.bounds = make([]int64, t.levels*(2*b+1))
		t.least = make([]int64, t.levels+1)
		t.sums = make([]int64, 2*b*(t.after+1)+1)
		t.left = make([]int64, 2*b+1)
		tables[i] = t
	}
	// Cells in the order of the shape, to rows in the order of the search.
	stride := make([]int, k)
	for i, g := range order {
		stride[g] = tables[i].below
	}
	level := make([]int, k)
	for cell := range p.Positives {
		row := 0
		for g, l := range level {
			row += l * stride[g]
		}
		tables[0].rows[row] = p.Negatives[cell] - p.Positives[cell]
		for g := k - 1; g >= 0; g-- {
			if level[g]++; level[g] < p.Levels[g] {
				break
			}
			level[g] = 0
		}
	}
	return tables
}

// bound fills, for each level l of attribute k and each point v,
//
//	bounds[l][v] = T·Σ_{z below l} min_{|τ| ≤ Bm} Σ_{s ≥ 1−v−τ} z[s] + cost(l, v).
//
// Every completion gives the cells of row z some rest τ of that size; here each
// row may choose its own, so the sum over l is at most T times the loss, less
// all positives, plus the costs of attribute k. At the last attribute m = 0, and
// the bound is what it bounds.
func (t *table) bound(b int, denominator int64) {
	points := 2*b + 1
	reach := b * (t.after + 1) // c runs through [−reach, reach]
	score := t.width / 2       // where s = 0 is in a row
	clear(t.bounds)
	for l := range t.levels {
		bounds := t.bounds[l*points : (l+1)*points]
		for z := l * t.below; z < (l+1)*t.below; z++ {
			row := t.rows[z*t.width : (z+1)*t.width]
			if !slices.ContainsFunc(row, func(n int64) bool { return n != 0 }) {
				continue
			}
			// sums[c + reach] = Σ_{s ≥ 1−c} row: as c grows by one, s = 1 − c comes in.
			sum := int64(0)
			for _, n := range row[min(2+reach+score, t.width):] {
				sum += n
			}
			for c := -reach; c <= reach; c++ {
				if at := 1 - c + score; at >= 0 && at < t.width {
					sum += row[at]
				}
				t.sums[c+reach] = sum
			}
			t.addWindowMinima(bounds, b)
		}
	}
	t.least[t.levels] = 0
	for l := t.levels - 1; l >= 0; l-- {
		bounds := t.bounds[l*points : (l+1)*points]
		for v := range bounds {
			bounds[v] *= denominator
			if t.costs != nil {
				bounds[v] += t.costs[l][v]
			}
		}
		t.least[l] = t.least[l+1] + slices.Min(bounds)
	}
}

// addWindowMinima adds to bounds[v+b] the least of sums within Bm of v, for v in
// [−b, b]. Where m ≥ 1 all windows share the part from b − Bm to Bm − b.
func (t *table) addWindowMinima(bounds []int64, b int) {
	window, middle := b*t.after, len(t.sums)/2
	if window == 0 {
		for v, s := range t.sums {
			bounds[v] += s
		}
		return
	}
	common := slices.Min(t.sums[middle+b-window : middle+window-b+1])
	least := common
	for v := b; v >= -b; v-- { // and what a window has left of the common part
		least = min(least, t.sums[middle+v-window])
		t.left[v+b] = least
	}
	least = common
	for v := -b; v <= b; v++ { // and right of it
		least = min(least, t.sums[middle+v+window])
		bounds[v+b] += min(least, t.left[v+b])
	}
}

// merge fills the rows of the stage after t, given the points of t's levels.
func (t *table) merge(next *table, points Points, b int) {
	clear(next.rows)
	for l := range t.levels {
		shift := int(points[t.first+l]) + b
		for z := range t.below {
			from := t.rows[(l*t.below+z)*t.width:][:t.width]
			into := next.rows[z*next.width+shift:][:t.width]
			for s, n := range from {
				into[s] += n
			}
		}
	}
}
