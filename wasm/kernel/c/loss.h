// Slopes and curvatures of a batch, by the operations of package glm in the same order.
#pragma once
#include "pass.h"

INLINE v2 splat(double x) { return (v2){x, x}; }
INLINE v2 choose(i2 mask, v2 yes, v2 no) { return (v2)((mask & (i2)yes) | (~mask & (i2)no)); }
INLINE v2 magnitude(v2 x) { return (v2)((i2)x & 0x7fffffffffffffffll); }
INLINE v2 with_sign(v2 x, v2 sign) {
  return (v2)(((i2)x & 0x7fffffffffffffffll) | ((i2)sign & ~0x7fffffffffffffffll));
}
INLINE int any(i2 mask) { return (mask[0] | mask[1]) != 0; }

// e^x = t + t·p, t of the table; low is what t is short of its power of 2. For x > −700 alone.
INLINE v2 exponent(const exponential *e, v2 x, v2 *t, v2 *low) {
  v2 shifted = x * e->steps + e->shift;
  i2 k = ((i2)shifted << 32) >> 32;
  shifted -= e->shift;
  v2 r = (x - shifted * e->step_high) - shifted * e->step_low;
  v2 r2 = r * r;
  v2 power = (v2)((1023 + (k >> 5)) << 52);
  *t = (v2){e->table[k[0] & 31], e->table[k[1] & 31]} * power;
  *low = (v2){e->low[k[0] & 31], e->low[k[1] & 31]} * power;
  return (r + r2 * (1.0 / 2 + r * (1.0 / 6))) +
         r2 * r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720));
}

// glm's logisticBlock, of moved margins and with a weight a label. Two margins that its polynomial
// is not for are 0, and Go's to do.
INLINE int logistic(const pass *p, v2 m, v2 y, v2 *slope, v2 *curvature) {
  v2 z = y * (m - y * p->parameter);
  v2 x = -magnitude(z), t, low;
  if (any(~(x > -700))) return 0;
  v2 power = exponent(p->exponential, x, &t, &low);
  power = t + t * power;
  v2 larger = 1 / (1 + power);
  v2 smaller = power * larger;
  v2 c = smaller * larger, weight = choose(y > 0, splat(p->positive), splat(p->negative));
  *slope = -y * choose((i2)z >> 63, larger, smaller) * weight;
  *curvature = choose(c > 0.25, splat(0.25), c) * weight;
  return 1;
}

// RoundedHinge.block of glm, likewise.
INLINE int hinge(const pass *p, v2 m, v2 y, v2 *slope, v2 *curvature) {
  v2 w = p->parameter - y * m, t, low;
  if (any(~(w < 700))) return 0;
  i2 right = w <= 0;
  v2 power = exponent(p->exponential, choose(right, w, -w), &t, &low);
  *slope = choose(right, splat(0), y * ((t * power + low) - (1 - t)));
  *curvature = choose(right, splat(0), t + t * power);
  return 1;
}

INLINE void huber(double h, v2 m, v2 y, v2 *slope, v2 *curvature) {
  v2 z = y * m;
  v2 p = ((1 - z) + h) / (2 * h);
  i2 right = p <= 0, left = p >= 1;
  *slope = choose(right, splat(0), choose(left, -y, -y * p));
  *curvature = choose(right | left, splat(0), splat(1 / (2 * h)));
}

// Brings slopes within the cap of each row, as glm.Clipped does; without a curvature where it does.
INLINE void clip(const pass *p, v2 norm, v2 *slope, v2 *curvature) {
  v2 s = magnitude(*slope), cap = splat(p->cap);
  i2 clipped = s > cap;
  if (p->norms > 1) {
    i2 active = (norm > 0) & (norm * p->most_slope > p->threshold);
    v2 quotient = p->threshold / norm;
    cap = choose(quotient == 0, quotient, (v2)((i2)quotient - 1)); // the float below
    clipped = active & ~(norm * s <= p->near) & (s > cap);
  }
  *slope = choose(clipped, with_sign(cap, *slope), *slope);
  *curvature = choose(clipped, splat(0), *curvature);
}

// Slopes and curvatures of n rows; 0 if Go has to do them.
INLINE int differentiate(const pass *p, int n) {
  batch *b = p->batch;
  int clips = p->threshold < __builtin_inf();
  for (int i = 0; i < n; i += 2) {
    v2 m = LOAD(b->margin + i), y = LOAD(b->label + i), slope, curvature;
    if (p->loss == LOGISTIC) {
      if (!logistic(p, m, y, &slope, &curvature)) return 0;
    } else if (p->loss == HINGE) {
      if (!hinge(p, m, y, &slope, &curvature)) return 0;
    } else if (p->loss == HUBER) {
      huber(p->parameter, m, y, &slope, &curvature);
    } else {
      slope = m - y;
      curvature = splat(1);
    }
    if (clips) clip(p, LOAD(b->norm + i), &slope, &curvature);
    STORE(b->slope + i, slope);
    STORE(b->curvature + i, curvature);
  }
  return 1;
}
