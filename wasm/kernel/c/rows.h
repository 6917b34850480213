// Batches of rows.
#pragma once
#include "pass.h"

// Of a pass: the first row of the batch, in the matrix, and how many there are.
#define ROW(p, i) (((p)->first + (i)) * (p)->step)

INLINE int least(i64 a, int b) { return a < b ? (int)a : b; }

// Where a dense row begins.
INLINE const double *dense_row(const pass *p, i64 row) {
  unsigned at = (unsigned)(row + p->offset), rows = (unsigned)p->block_rows;
  const double *block = (const double *)(unsigned long)p->block[at / rows];
  return block + at % rows * (unsigned)p->columns;
}

// Copies the labels and norms of n rows from record `from` on; of dense rows, also where they
// begin. What is filled up to a multiple of eight rows is harmless.
INLINE void gather(const pass *p, i64 from, int n) {
  batch *b = p->batch;
  i64 row = from * p->step;
  for (int i = 0; i < n; i++, row += p->step) {
    b->label[i] = p->label[row];
    b->norm[i] = p->norms > 1 ? p->norm[row] : p->norm[0];
    if (p->block) b->row[i] = dense_row(p, row);
  }
  for (int i = n; i & 7; i++) {
    b->label[i] = 1;
    b->norm[i] = 0;
    b->margin[i] = 0;
    b->row[i] = b->row[0];
  }
}
