#include "dense.h"
#include "sparse.h"

// Of n rows: Σ xⱼ² in the order of the columns to slope, Σ |xⱼ| to length, and how many are not 0 to
// curvature.
INLINE void sparse_lengths(const pass *p, i64 from, int n) {
  for (int i = 0; i < n; i++) {
    sparse x = sparse_row(p, from + i);
    double squares = 0, sum = 0, count = 0;
    for (int k = 0; k < x.n; k++) {
      double e = x.entry[k];
      squares += e * e;
      sum += __builtin_fabs(e);
      count += e != 0;
    }
    p->batch->slope[i] = squares;
    p->batch->length[i] = sum;
    p->batch->curvature[i] = count;
  }
}

INLINE void dense_lengths(const pass *p, int n) {
  for (int i = 0; i < n; i += 2) {
    const double *x = p->batch->row[i], *y = p->batch->row[i + 1];
    v2 squares = {}, sum = {}, count = {};
    for (int j = 0; j < (int)p->columns; j++) {
      v2 e = {x[j], y[j]};
      squares += e * e;
      sum += magnitude(e);
      count -= __builtin_convertvector(e != 0, v2);
    }
    STORE(p->batch->slope + i, squares);
    STORE(p->batch->length + i, sum);
    STORE(p->batch->curvature + i, count);
  }
}

// Writes an upper bound on the norm of each row to gradient, if it is not 0, and returns how many
// rows there are before the first that floats do not prove to be within the threshold; see norms.go
// of package solve.
EXPORT(norms) int norms(const pass *p) {
  int within = -1;
  for (i64 from = p->first; from < p->end; from += BATCH) {
    int n = least(p->end - from, BATCH);
    gather(p, from, n);
    if (p->block)
      dense_lengths(p, n);
    else
      sparse_lengths(p, from, n);
    for (int i = 0; i < n; i++) {
      double squares = p->batch->slope[i], count = p->batch->curvature[i];
      double upper = squares < 0x1p-900 ? p->batch->length[i] * (1 + (count + 1) * 0x1p-52)
                                        : __builtin_sqrt(squares) * (1 + (count + 8) * 0x1p-53);
      if (p->gradient) p->gradient[from + i] = upper;
      double inexact = 1 + (count + 4) * 0x1p-53;
      if (!(squares >= 0x1p-900 && squares * inexact <= p->threshold * p->threshold) && within < 0)
        within = (int)(from + i - p->first);
    }
    if (within >= 0 && !p->gradient) return within;
  }
  return within < 0 ? (int)(p->end - p->first) : within;
}
