// Margins in twice the precision, by the operations of package solve's fineMargin in their order,
// and by how much a slope can change near them.
#pragma once
#include "rows.h"

INLINE double high_half(double a) {
  double c = (double)((1 << 27) + 1) * a;
  return c - (c - a);
}

// fineMargin of n entries; index 0: of all columns.
INLINE double fine_margin(const pass *p, const int *index, const double *entry, int n,
                          double *error) {
  double sum = 0, lost = 0, magnitudes = 0;
  for (int k = 0; k < n; k++) {
    double x = entry[k], t = p->theta[index ? index[k] : k];
    double product = x * t;
    double x1 = high_half(x), t1 = high_half(t), x2 = x - x1, t2 = t - t1;
    double rest = x1 * t1 - product;
    rest += x1 * t2;
    rest += x2 * t1;
    rest += x2 * t2;
    double total = sum + product, back = total - sum;
    lost += ((sum - (total - back)) + (product - back)) + rest;
    sum = total;
    magnitudes += __builtin_fabs(product);
  }
  double margin = sum + lost, nu = (double)n * p->unit;
  *error = nu * nu * magnitudes * (1 + 0x1p-20) + (double)n * 0x1p-900 +
           p->unit * __builtin_fabs(margin) * (1 + 0x1p-20);
  return margin;
}

// tailAt of package glm, or less.
INLINE double tail(double most, double a) {
  if (!(a > 0)) return most;
  double near = (1 + 0x1p-40) / (1 + a + 0.5 * a * a);
  return near < most ? near : most;
}

// glm.Clipped.CurvatureNear.
INLINE double curvature_near(const pass *p, double m, double radius, double y, double norm) {
  double most = p->curvature, reach = __builtin_inf(), distance = 0, size = __builtin_fabs(m);
  double h = p->parameter;
  if (p->loss == LOGISTIC) {
    double spare = h > 0 ? 0x1p-50 * (size + h) : 0;
    return tail(most, __builtin_fabs(m - y * h) - radius - spare);
  }
  if (p->loss == HINGE) {
    double w = h - y * m, spare = 0x1p-50 * (1 + size + radius + h);
    return -w > radius + spare ? 0 : tail(most, w - radius - spare);
  }
  if (p->loss == HUBER) {
    reach = h;
    distance = __builtin_fabs(1 - y * m);
  } else if (norm > 0 && norm * p->most_slope > p->threshold) {
    reach = p->threshold / norm;
    distance = __builtin_fabs(m - y);
  }
  double spare = 0x1p-50 * (1 + size + __builtin_fabs(y) + reach + radius);
  return distance > reach + radius + spare ? 0 : most;
}
