#include "pass.h"

typedef unsigned u4 __attribute__((vector_size(16), aligned(4)));

// Returns whether all entries of sparse rows are where Go's loops would look for them: between
// start[0] and start[n] for n = end rows, each in one of the columns.
EXPORT(placed) int placed(const pass *p) {
  int n = (int)p->end;
  for (int i = 0; i < n; i++)
    if (p->start[i] > p->start[i + 1]) return 0;
  int from = (int)p->start[0], end = (int)p->start[n];
  u4 largest = {};
  for (; from + 4 <= end; from += 4) {
    u4 index = *(const u4 *)(p->index + from);
    largest = __builtin_elementwise_max(largest, index);
  }
  for (; from < end; from++)
    if ((unsigned)p->index[from] > largest[0]) largest[0] = (unsigned)p->index[from];
  unsigned columns = (unsigned)p->columns;
  return largest[0] < columns && largest[1] < columns && largest[2] < columns &&
         largest[3] < columns;
}
