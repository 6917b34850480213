package solve

import "math"

// Streamed is a [Part] whose rows are not in memory: each of its sums is one pass over them. Its
// sums are those that a [Block] of all the rows has, to the last bit.
//
// Start begins a pass in a goroutine of its own, and the sum that is asked for next waits for it.
// So parts that were made with the same Room read at once, as many as it has room for.
type Streamed struct {
	Stream  Stream
	Columns int

	// Room holds an element for each pass that is under way.
	Room chan struct{}

	// Failed is called with the error of a pass that failed. Its sums are then 0, and its
	// certificate proves nothing; end the fit.
	Failed func(error)

	every   int
	started chan Own
}

// Stream is rows that are read anew at each pass.
type Stream interface {
	// Rows says how many there are, and how many entries they have.
	Rows() (rows, entries int)

	// Costly reports whether they are dense.
	Costly() bool

	// Each calls take with all rows in their order, a multiple of this many at a time but for
	// the last. It returns the error of reading. What take gets is not kept.
	Each(multiple int, take func(*Rows)) error
}

// Own is the sums over one part: a gradient; the Hessian, if it was asked for; or what Certify adds
// and returns.
type Own struct {
	Gradient []float64
	Hessian  *Packed

	Sum   *Sum
	Bound float64

	Failed bool // the rows could not be read
}

// Dim is the number of columns.
func (s *Streamed) Dim() int { return s.Columns }

// Records is the number of rows that are used: all, or those that Thin keeps.
func (s *Streamed) Records() int {
	rows, _ := s.Stream.Rows()
	return (rows + s.step() - 1) / s.step()
}

// Thin is that of Rows. All rows are still read.
func (s *Streamed) Thin(every int) Part {
	thin := *s
	thin.every, thin.started = s.step()*every, nil
	return &thin
}

// Every is 1, or one row of how many Thin keeps.
func (s *Streamed) Every() int { return s.step() }

func (s *Streamed) step() int { return max(1, s.every) }

// Costly reports whether the rows are dense.
func (s *Streamed) Costly() bool { return s.Stream.Costly() }

// Start implements Starter.
func (s *Streamed) Start(theta []float64, next Sums) {
	at := append([]float64(nil), theta...)
	started := make(chan Own, 1)
	s.started = started
	go func() {
		s.Room <- struct{}{}
		defer func() { <-s.Room }()
		started <- s.pass(at, next)
	}()
}

// Take returns the sums, those that were started if any were.
func (s *Streamed) Take(theta []float64, next Sums) Own {
	if s.started == nil {
		return s.pass(theta, next)
	}
	own := <-s.started
	s.started = nil
	return own
}

// Derivatives adds the sums; see Part.
func (s *Streamed) Derivatives(theta, gradient []float64, hessian *Packed) {
	next := Gradients
	if hessian != nil {
		next = Hessians
	}
	s.Take(theta, next).AddTo(gradient, hessian)
}

// AddTo adds derivatives to gradient and, unless it is nil, hessian.
func (o Own) AddTo(gradient []float64, hessian *Packed) {
	axpy(1, o.Gradient, gradient)
	if hessian != nil {
		axpy(1, o.Hessian.At, hessian.At)
	}
}

// Certify adds the sum; see Part.
func (s *Streamed) Certify(theta []float64, sum *Sum) float64 {
	if s.step() != 1 {
		panic("solve: a thinned part stands in for other rows: its gradient cannot be certified")
	}
	own := s.Take(theta, Certified)
	sum.AddSum(own.Sum)
	return own.Bound
}

// Value returns Σ f(xᵢᵀθ; yᵢ); see Part.
func (s *Streamed) Value(theta []float64) float64 {
	parts := make([]float64, s.shards())
	s.each(func(k int, rows *Rows, first, end int) {
		parts[k] = rows.valueOf(first, end, theta, parts[k])
	})
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return float64(s.step()) * total
}

func (s *Streamed) pass(theta []float64, next Sums) Own {
	if next == Certified {
		return s.certify(theta)
	}
	// Of one shard the sums are taken where they belong, as Rows does; of several each by itself.
	n, shard := s.shards(), -1
	total, own := s.zero(next), s.zero(next)
	failed := s.each(func(k int, rows *Rows, first, end int) {
		if n == 1 {
			rows.derivatives(first, end, theta, total.Gradient, total.Hessian)
			return
		}
		if k != shard {
			if shard >= 0 {
				own.AddTo(total.Gradient, total.Hessian)
			}
			own, shard = s.zero(next), k
		}
		rows.derivatives(first, end, theta, own.Gradient, own.Hessian)
	})
	if shard >= 0 {
		own.AddTo(total.Gradient, total.Hessian)
	}
	if failed {
		total = s.zero(next)
		total.Failed = true
	}
	return total
}

func (s *Streamed) zero(next Sums) Own {
	own := Own{Gradient: make([]float64, s.Columns)}
	if next == Hessians {
		own.Hessian = NewPacked(s.Columns)
	}
	return own
}

func (s *Streamed) certify(theta []float64) Own {
	sums, bounds := make([]*Sum, s.shards()), make([]float64, s.shards())
	for k := range sums {
		sums[k] = NewSum(s.Columns)
	}
	plain := make([]float64, s.Columns)
	failed := s.each(func(k int, rows *Rows, first, end int) {
		bounds[k] = rows.certifyHere(first, end, theta, plain, sums[k], bounds[k])
	})
	own := Own{Sum: sums[0], Bound: bounds[0]}
	if len(sums) > 1 {
		own = Own{Sum: NewSum(s.Columns)}
		for k, sum := range sums {
			own.Sum.AddSum(sum)
			own.Bound += bounds[k]
		}
	}
	own.Bound *= 1 + 0x1p-20
	if own.Failed = failed; failed {
		own.Bound = math.Inf(1)
	}
	return own
}

func (s *Streamed) shards() int {
	_, entries := s.Stream.Rows()
	return shardsOf(entries/s.step(), s.Columns)
}

// each calls do with the records first to end−1 of rows, all of one shard, in their order. It
// reports whether reading failed.
func (s *Streamed) each(do func(shard int, rows *Rows, first, end int)) (failed bool) {
	n, records := s.shards(), s.Records()
	k, at := 0, 0
	err := s.Stream.Each(batch*s.step(), func(rows *Rows) {
		if s.step() > 1 {
			rows = rows.Thin(s.step()).(*Rows)
		}
		for first, all := 0, rows.Records(); first < all; {
			_, end := shardOf(records, k, n)
			if at == end {
				k++
				continue
			}
			take := min(all-first, end-at)
			do(k, rows, first, first+take)
			first, at = first+take, at+take
		}
	})
	if err != nil {
		s.Failed(err)
	}
	return err != nil
}
