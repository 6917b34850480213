package bounds

import (
	"sort"

	"cloister/core/data"
)

// The edges of the bins are the numbers that people choose bounds from: ten a
// decade, from a millionth to 10^15. They are whole tenths (below 1: the doubles
// nearest to such decimals), so that a bound reads as 120 or 0.25. Ages from 17
// to 90 come to 15 and 100, a systolic pressure from 88 to 214 mmHg to 80 and
// 250, a dose up to 400 mg to 400.
const (
	lowestDecade = -6
	decades      = 21
)

// tenths are the edges from 1 to below 10.
var tenths = [...]float64{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}

// edges are the positive ones, ascending.
var edges = func() []float64 {
	out := make([]float64, 0, decades*len(tenths)+1)
	for d := lowestDecade; d < lowestDecade+decades; d++ {
		for _, t := range tenths {
			out = append(out, scaled(t, d-1))
		}
	}
	return append(out, scaled(1, lowestDecade+decades))
}()

// scaled is x·10^d for a whole x, rounded once: 10^|d| is exact up to 22.
func scaled(x float64, d int) float64 {
	power := 1.0
	for range max(d, -d) {
		power *= 10
	}
	if d < 0 {
		return x / power
	}
	return x * power
}

// magnitudes are the bins of a sign: from 0 to the first edge, between edges,
// and above the last. Zero has one of its own.
var (
	magnitudes = len(edges) + 1
	bins       = 2*magnitudes + 1
)

// Binning divides the finite numbers. A positive bin holds its upper edge and
// not its lower one, a negative bin is the mirror image of a positive one, and
// zero is alone: columns that count something are 0 for many.
var Binning = data.Binning{Bins: bins, Bin: bin}

func bin(x float64) int {
	switch {
	case x > 0:
		return magnitudes + 1 + sort.SearchFloat64s(edges, x)
	case x < 0:
		return magnitudes - 1 - sort.SearchFloat64s(edges, -x)
	}
	return magnitudes
}

// lower and upper are the ends of bin j; the outermost bins end where the
// outermost edges are.
func lower(j int) float64 {
	if j > magnitudes {
		return edge(j - magnitudes - 1)
	}
	return 0 - edge(magnitudes-j)
}

func upper(j int) float64 {
	if j >= magnitudes {
		return edge(j - magnitudes)
	}
	return 0 - edge(magnitudes-1-j)
}

// edge is the k-th edge, of which 0 is the 0th.
func edge(k int) float64 {
	if k == 0 {
		return 0
	}
	return edges[min(k, len(edges))-1]
}
