#include "dense.h"
#include "fine.h"
#include "sparse.h"

// Of row i: a length that is at least ‖x‖ but for rounding, and by how much its slope is off.
INLINE void plain_lengths(const pass *p, int i, double squares, double magnitudes,
                          const double *entry, int n) {
  double length = __builtin_sqrt(squares);
  if (squares < 0x1p-900) { // squares underflow: Σ |x| ≥ ‖x‖
    length = 0;
    for (int k = 0; k < n; k++) length += __builtin_fabs(entry[k]);
  }
  p->batch->length[i] = length;
  p->batch->wrong[i] = p->curvature * ((double)n * p->unit * magnitudes);
}

INLINE void sparse_measure(const pass *p, i64 from, int n) {
  for (int i = 0; i < n; i++) {
    sparse x = sparse_row(p, from + i);
    double margin = 0, magnitudes = 0, squares = 0;
    for (int k = 0; k < x.n; k++) {
      double e = x.entry[k], product = e * p->theta[x.index[k]];
      squares += e * e;
      magnitudes += __builtin_fabs(product);
      margin += product;
    }
    p->batch->margin[i] = margin;
    plain_lengths(p, i, squares, magnitudes, x.entry, x.n);
  }
}

// Four rows at a time.
INLINE void dense_measure(const pass *p, int n) {
  const double *theta = p->theta;
  int d = (int)p->columns;
  for (int i = 0; i < n; i += 4) {
    const double *const *x = p->batch->row + i;
    const double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    v2 m0 = {}, m1 = {}, a0 = {}, a1 = {}, s0 = {}, s1 = {};
#define TERM(m, a, s, x, t)  \
  {                          \
    v2 e = x, product = e * t; \
    s += e * e;              \
    a += magnitude(product); \
    m += product;            \
  }
    int j = 0;
    for (; j + 1 < d; j += 2) {
      v2 f0 = LOAD(x0 + j), f1 = LOAD(x1 + j), f2 = LOAD(x2 + j), f3 = LOAD(x3 + j);
      double t = theta[j], u = theta[j + 1];
      TERM(m0, a0, s0, LOWER(f0, f1), t)
      TERM(m1, a1, s1, LOWER(f2, f3), t)
      TERM(m0, a0, s0, UPPER(f0, f1), u)
      TERM(m1, a1, s1, UPPER(f2, f3), u)
    }
    if (j < d) {
      double t = theta[j];
      TERM(m0, a0, s0, ((v2){x0[j], x1[j]}), t)
      TERM(m1, a1, s1, ((v2){x2[j], x3[j]}), t)
    }
    STORE(p->batch->margin + i, m0);
    STORE(p->batch->margin + i + 2, m1);
    plain_lengths(p, i, s0[0], a0[0], x0, d);
    plain_lengths(p, i + 1, s0[1], a0[1], x1, d);
    plain_lengths(p, i + 2, s1[0], a1[0], x2, d);
    plain_lengths(p, i + 3, s1[1], a1[1], x3, d);
  }
}

// Computes the margin of the batch's row i again, and how far a slope is off by its error.
INLINE void refine(const pass *p, i64 from, int i) {
  batch *b = p->batch;
  sparse x = p->block ? (sparse){0, b->row[i], (int)p->columns} : sparse_row(p, from + i);
  double error, m = fine_margin(p, x.index, x.entry, x.n, &error);
  b->margin[i] = m;
  b->wrong[i] = error * curvature_near(p, m, error, b->label[i], b->norm[i]);
}

// Adds the batch's sums to the totals and makes them 0; see solve.Sum.Add.
INLINE void add_totals(const pass *p) {
  int d = (int)p->columns, j = 0;
  for (; j + 1 < d; j += 2) {
    v2 x = LOAD(p->gradient + j), high = LOAD(p->high + j), low = LOAD(p->low + j);
    i2 counts = x != 0;
    v2 total = high + x;
    v2 back = total - high;
    v2 error = (high - (total - back)) + (x - back);
    v2 rest = low + error;
    v2 sum = total + rest;
    STORE(p->high + j, choose(counts, sum, high));
    STORE(p->low + j, choose(counts, rest - (sum - total), low));
    v2 size = LOAD(p->size + j), count = LOAD(p->count + j);
    STORE(p->size + j, choose(counts, size + magnitude(x), size));
    STORE(p->count + j, choose(counts, count + 1, count));
    STORE(p->gradient + j, splat(0));
  }
  for (; j < d; j++) {
    double x = p->gradient[j], high = p->high[j];
    if (x == 0) continue;
    double total = high + x;
    double back = total - high;
    double error = (high - (total - back)) + (x - back);
    double rest = p->low[j] + error;
    double sum = total + rest;
    p->high[j] = sum;
    p->low[j] = rest - (sum - total);
    p->size[j] += __builtin_fabs(x);
    p->count[j]++;
    p->gradient[j] = 0;
  }
}

// Adds to the totals, and to the bound on their error, as solve.Rows.certify does; the gradient is
// what a batch is summed in, and 0 before and after. Returns how many records it added: all, or
// those before a batch that Go has to do.
EXPORT(certify) int certify(pass *p) {
  batch *b = p->batch;
  for (i64 from = p->first; from < p->end; from += BATCH) {
    int n = least(p->end - from, BATCH);
    gather(p, from, n);
    if (p->block)
      dense_measure(p, n);
    else
      sparse_measure(p, from, n);
    for (int i = 0; i < n; i++)
      if (!(b->wrong[i] <= p->coarsest)) refine(p, from, i);
    if (!differentiate(p, n)) return (int)(from - p->first);
    if (p->block)
      dense_gradient(p, n);
    else
      sparse_gradient(p, from, n);
    for (int i = 0; i < n; i++) {
      double wrong = b->wrong[i] + p->slope_floor + p->slope_error * __builtin_fabs(b->slope[i]);
      i64 row = from + i;
      double k = p->block ? (double)p->columns : (double)(p->start[row + 1] - p->start[row]);
      p->bound += b->length[i] * wrong + k * 0x1p-900;
    }
    add_totals(p);
  }
  return (int)(p->end - p->first);
}
