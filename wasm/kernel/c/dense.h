// Loops over dense rows. Each sum is in the order of package solve's: sums over columns are taken
// of two rows at a time, a row a lane, and sums over rows of two columns.
#pragma once
#include "loss.h"
#include "rows.h"

#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 2)
#define UPPER(a, b) __builtin_shufflevector(a, b, 1, 3)

// xᵀθ of rows 0 … n − 1, eight at a time.
INLINE void dense_margins(const pass *p, int n) {
  const double *theta = p->theta;
  int d = (int)p->columns;
  for (int i = 0; i < n; i += 8) {
    const double *const *x = p->batch->row + i;
    const double *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    const double *x4 = x[4], *x5 = x[5], *x6 = x[6], *x7 = x[7];
    v2 a = {}, b = {}, c = {}, e = {};
    int j = 0;
    for (; j + 1 < d; j += 2) {
      v2 t = splat(theta[j]), u = splat(theta[j + 1]);
#define TWO(sum, x, y)                  \
  {                                     \
    v2 f = LOAD(x + j), g = LOAD(y + j); \
    sum += LOWER(f, g) * t;             \
    sum += UPPER(f, g) * u;             \
  }
      TWO(a, x0, x1)
      TWO(b, x2, x3)
      TWO(c, x4, x5)
      TWO(e, x6, x7)
    }
    if (j < d) {
      double t = theta[j];
      a += (v2){x0[j], x1[j]} * t;
      b += (v2){x2[j], x3[j]} * t;
      c += (v2){x4[j], x5[j]} * t;
      e += (v2){x6[j], x7[j]} * t;
    }
    double *margin = p->batch->margin + i;
    STORE(margin, a);
    STORE(margin + 2, b);
    STORE(margin + 4, c);
    STORE(margin + 6, e);
  }
}

// Adds Σ slope·x to the gradient, four rows at a time.
INLINE void dense_gradient(const pass *p, int n) {
  double *gradient = p->gradient;
  int d = (int)p->columns, i = 0;
  for (; i + 4 <= n; i += 4) {
    const double *const *x = p->batch->row + i;
    const double *s = p->batch->slope + i, *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    double w0 = s[0], w1 = s[1], w2 = s[2], w3 = s[3];
    int j = 0;
    for (; j + 1 < d; j += 2) {
      v2 g = LOAD(gradient + j);
      g += w0 * LOAD(x0 + j);
      g += w1 * LOAD(x1 + j);
      g += w2 * LOAD(x2 + j);
      g += w3 * LOAD(x3 + j);
      STORE(gradient + j, g);
    }
    if (j < d) {
      double g = gradient[j];
      g += w0 * x0[j];
      g += w1 * x1[j];
      g += w2 * x2[j];
      gradient[j] = g + w3 * x3[j];
    }
  }
  for (; i < n; i++) {
    const double *x = p->batch->row[i];
    double w = p->batch->slope[i];
    for (int j = 0; j < d; j++) gradient[j] += w * x[j];
  }
}

// Adds Σ w·x xᵀ of four rows to two rows of the Hessian, and so on; see addFour of package solve.
INLINE void add_four(const pass *p, const double *x0, const double *x1, const double *x2,
                     const double *x3, double w0, double w1, double w2, double w3) {
  double *upper = p->hessian;
  int d = (int)p->columns, a = 0;
  for (; a + 2 <= d; a += 2) {
    double b0 = w0 * x0[a], b1 = w1 * x1[a], b2 = w2 * x2[a], b3 = w3 * x3[a];
    double c0 = w0 * x0[a + 1], c1 = w1 * x1[a + 1], c2 = w2 * x2[a + 1], c3 = w3 * x3[a + 1];
    double *lower = upper + a + 1;
    int j = 0;
    for (; j < a; j += 2) {
      v2 v0 = LOAD(x0 + j), v1 = LOAD(x1 + j), v2_ = LOAD(x2 + j), v3 = LOAD(x3 + j);
      STORE(upper + j, LOAD(upper + j) + ((b0 * v0 + b1 * v1) + (b2 * v2_ + b3 * v3)));
      STORE(lower + j, LOAD(lower + j) + ((c0 * v0 + c1 * v1) + (c2 * v2_ + c3 * v3)));
    }
    upper[j] += (b0 * x0[j] + b1 * x1[j]) + (b2 * x2[j] + b3 * x3[j]);
    lower[j] += (c0 * x0[j] + c1 * x1[j]) + (c2 * x2[j] + c3 * x3[j]);
    j++;
    lower[j] += (c0 * x0[j] + c1 * x1[j]) + (c2 * x2[j] + c3 * x3[j]);
    upper = lower + a + 2;
  }
  if (a < d) {
    double b0 = w0 * x0[a], b1 = w1 * x1[a], b2 = w2 * x2[a], b3 = w3 * x3[a];
    for (int j = 0; j <= a; j++)
      upper[j] += (b0 * x0[j] + b1 * x1[j]) + (b2 * x2[j] + b3 * x3[j]);
  }
}

// Adds Σ curvature·x xᵀ to the Hessian: four rows at a time of those whose curvature is not 0.
INLINE void dense_hessian(const pass *p, int n) {
  const double *const *row = p->batch->row;
  const double *w = p->batch->curvature;
  for (int i = 0; i < n;) {
    const double *x0 = 0, *x1 = 0, *x2 = 0, *x3 = 0;
    double w0 = 0, w1 = 0, w2 = 0, w3 = 0;
#define NEXT(x, w_)                      \
  for (; i < n && w[i] == 0; i++) {      \
  }                                      \
  x = x0;                                \
  if (i < n) {                           \
    x = row[i];                          \
    w_ = w[i++];                         \
  }
    NEXT(x0, w0)
    if (!x0) return;
    NEXT(x1, w1)
    NEXT(x2, w2)
    NEXT(x3, w3)
    add_four(p, x0, x1, x2, x3, w0, w1, w2, w3);
  }
}
