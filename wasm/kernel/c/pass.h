// What a pass is given: the rows, the loss, and where results go. The Go program fills it in and
// lends it for one call: core/solve/kernel_pass.go has the same members in the same order.
#pragma once

typedef long long i64;

// Two numbers at a time. Go aligns floats to 8 bytes, no more.
typedef double v2 __attribute__((vector_size(16), aligned(8)));
typedef i64 i2 __attribute__((vector_size(16), aligned(8)));

#define LOAD(p) (*(const v2 *)(p))
#define STORE(p, v) (*(v2 *)(p) = (v))
#define INLINE static inline __attribute__((always_inline))
#define EXPORT(name) __attribute__((export_name(#name)))

// A pointer of Go's program takes 8 bytes; WebAssembly uses the lower 4.
#define POINTER(type, name) \
  type *name;               \
  int name##_unused

// Rows are taken a batch at a time. It is as large as that of package solve.
#define BATCH 128

enum loss { LOGISTIC, HUBER, SQUARED, HINGE };

// The constants of package glm's exponential; see exptable.go there.
typedef struct {
  double steps, step_high, step_low, shift;
  double table[32], low[32];
} exponential;

// A batch on its way. Go lends the memory, because the kernel has none of its own, not even a
// stack.
typedef struct {
  double margin[BATCH], label[BATCH], norm[BATCH], slope[BATCH], curvature[BATCH];
  double length[BATCH], wrong[BATCH]; // of a certificate
  const double *row[BATCH];           // of dense rows
} batch;

typedef struct {
  // The rows: first, first + 1, … end − 1 times step. They are dense if there are blocks.
  i64 columns, first, end, step;
  POINTER(const i64, start);
  POINTER(const int, index);
  POINTER(const double, entry);
  POINTER(const i64, block); // addresses of blocks of block_rows rows
  i64 block_rows, offset;    // offset: of row 0 in the blocks
  POINTER(const double, label);
  POINTER(const double, norm);
  i64 norms; // 1: a bound for all rows

  // The loss, and where its slopes are clipped.
  i64 loss;
  double parameter;  // Huber's half-width, or how far the loss is shifted
  double threshold;  // the gradient's; +Inf: nothing is clipped
  double most_slope; // of the loss
  double near;       // norm·|slope| up to this is not clipped
  double cap;        // of the slope, where one norm is for all rows
  double positive, negative; // weights of labels, of the logistic loss
  double magic;              // rounds slopes, added and taken off again; 0: they stay
  POINTER(const exponential, exponential);

  // The point, and the sums that are added to.
  POINTER(const double, theta);
  POINTER(double, gradient);
  POINTER(double, hessian); // 0: not wanted

  // Of a certificate; solve.Rows.Certify says what they are.
  double curvature, unit, coarsest, slope_error, slope_floor;
  double bound; // is added to
  POINTER(double, high);
  POINTER(double, low);
  POINTER(double, size);
  POINTER(double, count);

  POINTER(batch, batch);
} pass;
