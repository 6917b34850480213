package solve

// Streamed is rows that are not in memory: each of its sums is one pass over them. The sums are
// those that a [Block] of all the rows has, to the last bit.
type Streamed struct {
	Stream  Stream
	Columns int
	Every   int // rows 0, Every, 2·Every, … count, each so often; 0 is 1
}

// Stream is rows that are read anew at each pass.
type Stream interface {
	// Rows says how many there are, and how many entries they have.
	Rows() (rows, entries int)

	// Each calls take with all rows in their order, a multiple of this many at a time but for
	// the last. It returns the error of reading. What take gets is not kept.
	Each(multiple int, take func(*Rows)) error
}

// Sums are the numbers of the sums at theta, as [Sums.Add] takes them. The error is that of
// reading. It panics if a certificate of thinned rows is asked for.
func (s *Streamed) Sums(theta []float64, next Sums) ([]float64, error) {
	if next == Certified {
		return s.certified(theta)
	}
	// Of one shard the sums are taken where they belong, as Rows does; of several each by itself.
	n, shard := s.shards(), -1
	total, own := s.zero(next), s.zero(next)
	add := func() {
		if shard >= 0 {
			next.Add(own, total[:s.Columns], packed(s.Columns, total))
		}
	}
	err := s.each(func(k int, rows *Rows, first, end int) {
		into := total
		if n > 1 {
			if into = own; k != shard {
				add()
				clear(own)
				shard = k
			}
		}
		rows.derivatives(first, end, theta, into[:s.Columns], packed(s.Columns, into))
	})
	add()
	return total, err
}

func (s *Streamed) zero(next Sums) []float64 { return make([]float64, next.Numbers(s.Columns)) }

// packed is the Hessian among the numbers of derivatives, or nil.
func packed(columns int, numbers []float64) *Packed {
	if len(numbers) == columns {
		return nil
	}
	return &Packed{N: columns, At: numbers[columns:]}
}

func (s *Streamed) certified(theta []float64) ([]float64, error) {
	if s.step() != 1 {
		panic("solve: a thinned part stands in for other rows: its gradient cannot be certified")
	}
	sums, bounds := make([]*Sum, s.shards()), make([]float64, s.shards())
	for k := range sums {
		sums[k] = NewSum(s.Columns)
	}
	plain := make([]float64, s.Columns)
	err := s.each(func(k int, rows *Rows, first, end int) {
		bounds[k] = rows.certifyHere(first, end, theta, plain, sums[k], bounds[k])
	})
	sum, bound := sums[0], bounds[0]
	if len(sums) > 1 {
		sum, bound = NewSum(s.Columns), 0
		for k, own := range sums {
			sum.AddSum(own)
			bound += bounds[k]
		}
	}
	return append([]float64{bound * (1 + 0x1p-20)}, sum.State()...), err
}

func (s *Streamed) step() int { return max(1, s.Every) }

func (s *Streamed) shards() int {
	_, entries := s.Stream.Rows()
	return shardsOf(entries/s.step(), s.Columns)
}

// each calls do with the records first to end−1 of rows, all of one shard, in their order.
func (s *Streamed) each(do func(shard int, rows *Rows, first, end int)) error {
	all, _ := s.Stream.Rows()
	records := (all + s.step() - 1) / s.step()
	n, k, at := s.shards(), 0, 0
	return s.Stream.Each(batch*s.step(), func(rows *Rows) {
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
}
