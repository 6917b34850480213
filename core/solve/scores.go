package solve

import "cloister/core/glm"

// Scores is the [Part] of a softmax of K classes, Σ ℓ(Θxᵢ; yᵢ) (glm.Softmax). θ is the K
// vectors one after the other, Classes·Columns numbers.
//
// Rows holds the records; its Label is the number of each record's class, from 0, and its
// Loss and Norm are not used. As there, the order in which sums are added depends only on
// the rows.
type Scores struct {
	Rows    *Rows
	Classes int
}

// Dim is Classes·Columns.
func (s *Scores) Dim() int { return s.Classes * s.Rows.Columns }

// Records is that of Rows.
func (s *Scores) Records() int { return s.Rows.Records() }

// Thin is that of Rows.
func (s *Scores) Thin(every int) Part {
	return &Scores{s.Rows.Thin(every).(*Rows), s.Classes}
}

// Costly is true: a Hessian costs as much as Dim/4 gradients.
func (s *Scores) Costly() bool { return true }

// scored is a batch of rows with its scores, class by class, and what follows from them.
type scored struct {
	pass
	score [][]float64 // of each class, one a row
	z     []float64   // of one row
}

func (s *Scores) begin(first, end int) *scored {
	b := &scored{pass: pass{first: first, end: end}, z: make([]float64, s.Classes)}
	for range s.Classes {
		b.score = append(b.score, make([]float64, batch))
	}
	return b
}

// next moves to the batch that follows, and computes its scores.
func (s *Scores) next(b *scored, theta []float64) bool {
	r, d := s.Rows, s.Rows.Columns
	if !r.next(&b.pass, theta[:d]) {
		return false
	}
	copy(b.score[0], b.margin[:b.n])
	for k := 1; k < s.Classes; k++ {
		own := theta[k*d : (k+1)*d]
		if r.dense() {
			denseMargins(b.x[:b.n], own, b.score[k][:b.n])
			continue
		}
		row := b.first * r.step()
		for i := range b.n {
			index, entry := r.row(row)
			score := 0.0
			for at, j := range index {
				score += entry[at] * own[j]
			}
			b.score[k][i] = score
			row += r.step()
		}
	}
	return true
}

// slopes turns the batch's scores into p − e_y, and returns the sum of the values.
func (s *Scores) slopes(b *scored) (value float64) {
	for i := range b.n {
		for k := range b.z {
			b.z[k] = b.score[k][i]
		}
		value += glm.Softmax{}.Scores(b.z, int(b.label[i]))
		for k, slope := range b.z {
			b.score[k][i] = slope
		}
	}
	return value
}

// Value returns Σ ℓ.
func (s *Scores) Value(theta []float64) float64 {
	n := s.Rows.shards()
	parts := make([]float64, n)
	each(n, func(shard int) {
		b := s.begin(s.Rows.shard(shard, n))
		for s.next(b, theta) {
			parts[shard] += s.slopes(b)
		}
	})
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return float64(s.Rows.step()) * total
}

// Derivatives adds Σ (p − e_y) ⊗ x to gradient and, unless hessian is nil, Σ P ⊗ xxᵀ to
// hessian.
func (s *Scores) Derivatives(theta, gradient []float64, hessian *Packed) {
	var blocks []*Packed
	if hessian != nil {
		blocks = s.curved(theta, gradient, true)
		s.scatter(blocks, hessian)
		return
	}
	s.curved(theta, gradient, false)
}

// Shape is how many classes and columns there are.
func (s *Scores) Shape() (classes, columns int) { return s.Classes, s.Rows.Columns }

// DiagonalBlocks adds Σ (p − e_y) ⊗ x to gradient, and returns the K blocks Σ p_k(1−p_k) xxᵀ
// on the Hessian's diagonal, for a K-th of what all of it costs and less.
func (s *Scores) DiagonalBlocks(theta, gradient []float64) []*Packed {
	sums := s.sums(theta, 1)
	axpy(1, sums.gradient, gradient)
	return sums.blocks
}

func (s *Scores) curved(theta, gradient []float64, all bool) []*Packed {
	width := 0
	if all {
		width = s.Classes
	}
	sums := s.sums(theta, width)
	axpy(1, sums.gradient, gradient)
	return sums.blocks
}

// scoreSums are the sums over some rows. blocks[at(k, l)] is Σ P_kl xxᵀ for l ≤ k.
type scoreSums struct {
	gradient []float64
	blocks   []*Packed
}

// sums adds up the gradient and the blocks (k, l) with k − width < l ≤ k: none for 0, those
// on the diagonal for 1, all for K; those are in the order of k, then l.
func (s *Scores) sums(theta []float64, width int) *scoreSums {
	zero := func() *scoreSums {
		sums := &scoreSums{gradient: make([]float64, s.Dim())}
		for k := range s.Classes {
			for range min(width, k+1) {
				sums.blocks = append(sums.blocks, NewPacked(s.Rows.Columns))
			}
		}
		return sums
	}
	total := zero()
	n := s.Rows.shards()
	if width > 1 {
		n = max(1, min(n, mostSums/(s.Dim()*(s.Dim()+1)/2+1)))
	}
	inOrder(n, zero, func(shard int, sums *scoreSums) {
		clear(sums.gradient)
		for _, block := range sums.blocks {
			clear(block.At)
		}
		first, end := s.Rows.shard(shard, n)
		s.add(first, end, theta, width, sums)
	}, func(sums *scoreSums) {
		axpy(1, sums.gradient, total.gradient)
		for i, block := range sums.blocks {
			axpy(1, block.At, total.blocks[i].At)
		}
	})
	return total
}

// add is sums for records first to end−1.
func (s *Scores) add(first, end int, theta []float64, width int, sums *scoreSums) {
	r, d := s.Rows, s.Rows.Columns
	weight := float64(r.step())
	b := s.begin(first, end)
	probability := make([][]float64, s.Classes)
	for k := range probability {
		probability[k] = make([]float64, batch)
	}
	for s.next(b, theta) {
		s.slopes(b)
		for k, slopes := range b.score {
			for i := range b.n {
				p := slopes[i]
				if k == int(b.label[i]) {
					p++ // of a Hessian, which need not be so precise
				}
				probability[k][i] = p
				slopes[i] *= weight
			}
			s.addGradient(b, slopes[:b.n], sums.gradient[k*d:(k+1)*d])
		}
		at := 0
		for k := range s.Classes {
			for l := max(0, k+1-width); l <= k && width > 0; l++ {
				for i := range b.n {
					p, q := probability[k][i], probability[l][i]
					b.curvature[i] = -weight * p * q
					if k == l {
						b.curvature[i] = weight * p * (1 - p)
					}
				}
				s.addBlock(b, sums.blocks[at])
				at++
			}
		}
	}
}

// addGradient adds Σ wᵢxᵢ over the batch.
func (s *Scores) addGradient(b *scored, w, gradient []float64) {
	if s.Rows.dense() {
		denseGradient(b.x[:b.n], w, gradient)
		return
	}
	row := b.first * s.Rows.step()
	for _, slope := range w {
		index, entry := s.Rows.row(row)
		for k, j := range index {
			gradient[j] += slope * entry[k]
		}
		row += s.Rows.step()
	}
}

// addBlock adds Σ wᵢxᵢxᵢᵀ over the batch, w its curvatures.
func (s *Scores) addBlock(b *scored, block *Packed) {
	if s.Rows.dense() {
		block.addDense(b.x[:b.n], b.curvature[:b.n])
		return
	}
	row := b.first * s.Rows.step()
	for i := range b.n {
		index, entry := s.Rows.row(row)
		block.addOuter(b.curvature[i], index, entry)
		row += s.Rows.step()
	}
}

// scatter adds the blocks to the matrix that they are of. Each is symmetric.
func (s *Scores) scatter(blocks []*Packed, hessian *Packed) {
	d, at := s.Rows.Columns, 0
	for k := range s.Classes {
		for l := range k + 1 {
			block := blocks[at]
			at++
			for i := range d {
				row := hessian.Row(k*d + i)[l*d:]
				axpy(1, block.Row(i), row)
				if l == k {
					continue
				}
				for j := i + 1; j < d; j++ {
					row[j] += block.Row(j)[i]
				}
			}
		}
	}
}
