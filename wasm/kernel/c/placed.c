#include "pass.h"

// Returns how many rows from the first on have their entries in order and in the matrix's columns.
EXPORT(placed) int placed(const pass *p) {
  int n = (int)p->end;
  for (int i = 0; i < n; i++) {
    i64 from = p->start[i], end = p->start[i + 1];
    if (from > end || end > p->start[n]) return i;
    int before = -1;
    for (; from < end; from++) {
      if (p->index[from] <= before) return i;
      before = p->index[from];
    }
    if (before >= p->columns) return i;
  }
  return n;
}
