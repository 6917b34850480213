#include "dense.h"
#include "sparse.h"

// Adds the gradient and, if it is wanted, the Hessian of the rows; see solve.Rows. Returns how many
// records it added: all, or those before a batch that Go has to do.
EXPORT(derivatives) int derivatives(const pass *p) {
  for (i64 from = p->first; from < p->end; from += BATCH) {
    int n = least(p->end - from, BATCH);
    gather(p, from, n);
    if (p->block)
      dense_margins(p, n);
    else
      sparse_margins(p, from, n);
    if (!differentiate(p, n)) return (int)(from - p->first);
    if (p->magic > 0)
      for (int i = 0; i < n; i++) {
        double *slope = p->batch->slope + i;
        *slope = (*slope + p->magic) - p->magic;
      }
    if (p->step > 1) {
      double weight = (double)p->step;
      for (int i = 0; i < n; i++) {
        p->batch->slope[i] *= weight;
        p->batch->curvature[i] *= weight;
      }
    }
    if (p->block) {
      dense_gradient(p, n);
      if (p->hessian) dense_hessian(p, n);
    } else {
      sparse_gradient(p, from, n);
      if (p->hessian) sparse_hessian(p, from, n);
    }
  }
  return (int)(p->end - p->first);
}
