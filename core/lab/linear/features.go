package linear

import (
	"math"
	"slices"
)

// Class is W = Values^Dimension, the values in increasing order.
type Class struct {
	Dimension int
	Values    []int
}

// Ternary is {−1, 0, 1}^d.
func Ternary(d int) Class { return Class{d, []int{-1, 0, 1}} }

// Cube is {−1, 1}^d.
func Cube(d int) Class { return Class{d, []int{-1, 1}} }

// squareOfNorm is D², the largest ‖w‖².
func (c Class) squareOfNorm() int {
	largest := max(-c.Values[0], c.Values[len(c.Values)-1])
	return c.Dimension * largest * largest
}

// separation is τ, the least distance of two w.
func (c Class) separation() float64 {
	least := math.Inf(1)
	for i := 1; i < len(c.Values); i++ {
		least = math.Min(least, float64(c.Values[i]-c.Values[i-1]))
	}
	return least
}

// Features is φ: of a w in a class, a vector of Count numbers.
type Features interface {
	Count(Class) int
	Of(c Class, w []int) []float64
	costs(c Class, eta []float64) (levels [][]float64, squares []float64)
}

// Sphere is (w, √(D² − ‖w‖²))/D: d + 1 features of norm 1.
type Sphere struct{}

// Thresholds are a separator set: for each coordinate and each value v but the least,
// whether w_j ≥ v.
type Thresholds struct{}

// Coordinates is w itself: separators of {0, 1}^d, and of no class with a value between two others.
type Coordinates struct{}

func (Sphere) Count(c Class) int { return c.Dimension + 1 }

func (Sphere) Of(c Class, w []int) []float64 {
	square := c.squareOfNorm()
	size := math.Sqrt(float64(square))
	out := make([]float64, 0, len(w)+1)
	for _, v := range w {
		out = append(out, float64(v)/size)
		square -= v * v
	}
	return append(out, math.Sqrt(float64(square))/size)
}

func (Thresholds) Count(c Class) int { return c.Dimension * (len(c.Values) - 1) }

func (Thresholds) Of(c Class, w []int) (out []float64) {
	for _, v := range w {
		for _, threshold := range c.Values[1:] {
			if v >= threshold {
				out = append(out, 1)
			} else {
				out = append(out, 0)
			}
		}
	}
	return out
}

func (Coordinates) Count(c Class) int { return c.Dimension }

func (Coordinates) Of(_ Class, w []int) []float64 {
	out := make([]float64, len(w))
	for j, v := range w {
		out[j] = float64(v)
	}
	return out
}

// Separates is whether some feature differs for any two w, by looking at all of them: of small
// classes only.
func Separates(f Features, c Class) bool {
	all := c.all()
	seen := make([][]float64, len(all))
	for i, w := range all {
		seen[i] = f.Of(c, w)
		if slices.ContainsFunc(seen[:i], func(u []float64) bool {
			return slices.Equal(u, seen[i])
		}) {
			return false
		}
	}
	return true
}

// all are the points of the class, the first coordinate slowest.
func (c Class) all() [][]int {
	all := [][]int{nil}
	for range c.Dimension {
		var longer [][]int
		for _, w := range all {
			for _, v := range c.Values {
				longer = append(longer, append(slices.Clone(w), v))
			}
		}
		all = longer
	}
	return all
}
