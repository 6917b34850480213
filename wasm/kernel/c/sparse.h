// Loops over sparse rows. Each sum is in the order of package solve's.
#pragma once
#include "rows.h"

typedef struct {
  const int *index;
  const double *entry;
  int n;
} sparse;

INLINE sparse sparse_row(const pass *p, i64 row) {
  int from = (int)p->start[row];
  return (sparse){p->index + from, p->entry + from, (int)p->start[row + 1] - from};
}

INLINE void sparse_margins(const pass *p, i64 from, int n) {
  for (int i = 0; i < n; i++) {
    sparse x = sparse_row(p, (from + i) * p->step);
    double margin = 0;
    for (int k = 0; k < x.n; k++) margin += x.entry[k] * p->theta[x.index[k]];
    p->batch->margin[i] = margin;
  }
}

// Adds Σ slope·x to the gradient.
INLINE void sparse_gradient(const pass *p, i64 from, int n) {
  double *gradient = p->gradient;
  for (int i = 0; i < n; i++) {
    sparse x = sparse_row(p, (from + i) * p->step);
    double slope = p->batch->slope[i];
    for (int k = 0; k < x.n; k++) gradient[x.index[k]] += slope * x.entry[k];
  }
}

// Row i of a lower triangle that is stored row by row.
INLINE double *triangle(double *matrix, int i) { return matrix + (unsigned)i * (i + 1u) / 2; }

// Adds Σ curvature·x xᵀ to the Hessian, two of its rows at a time.
INLINE void sparse_hessian(const pass *p, i64 from, int n) {
  for (int i = 0; i < n; i++) {
    double w = p->batch->curvature[i];
    if (w == 0) continue;
    sparse x = sparse_row(p, (from + i) * p->step);
    int a = 0;
    for (; a + 1 < x.n; a += 2) {
      double upper = w * x.entry[a], lower = w * x.entry[a + 1];
      double *above = triangle(p->hessian, x.index[a]);
      double *below = triangle(p->hessian, x.index[a + 1]);
#pragma clang loop unroll_count(2)
      for (int b = 0; b <= a; b++) {
        above[x.index[b]] += upper * x.entry[b];
        below[x.index[b]] += lower * x.entry[b];
      }
      below[x.index[a + 1]] += lower * x.entry[a + 1];
    }
    if (a < x.n) {
      double last = w * x.entry[a];
      double *row = triangle(p->hessian, x.index[a]);
      for (int b = 0; b <= a; b++) row[x.index[b]] += last * x.entry[b];
    }
  }
}
