// Plain records of a CSV file: core/data/plain.go says what is plain, and has the same structures.
#include "pass.h"

typedef unsigned char byte;
typedef signed char s16 __attribute__((vector_size(16), aligned(1)));
typedef i64 word __attribute__((aligned(1), may_alias));

// A place in a dictionary; empty unless used.
typedef struct {
  POINTER(const byte, text);
  i64 length;
  i64 head; // its first 8 bytes, zeros for those that it lacks
  unsigned hash;
  byte used;
  int code;
} slot;

// What becomes of a field.
enum kind { SKIP, SCALED, RAW, CODE };

typedef struct {
  i64 kind;
  i64 to;               // in the record's results
  int first, mask;      // of codes: the column of code 0; the number of slots less 1
  double least, most;   // of numbers: others are left
  double span;          // of scaled ones
  POINTER(const slot, slots); // of codes; of numbers: texts that are none
  POINTER(const int, quick);  // of 256 quick numbers: the slot where such a text may be
} field;

typedef struct {
  POINTER(const byte, text);
  i64 at, end; // the first record begins at `at`; bytes of text
  i64 delimiter, width, results, records;
  POINTER(const field, field);
  POINTER(const double, power); // 10^0 to 10^22
  i64 quotes;                   // set to 1 where a field stands in quotes

  // For each record: where the next begins; and for each result a column and an entry.
  POINTER(i64, next);
  POINTER(int, column);
  POINTER(double, entry);

  // Of rows: how many, by which rule their norms are at most 1 (all by one factor if there is a
  // scale), the intercept and its column; and for each row where it ends among the indices and
  // values.
  i64 rows, unit, last;
  double intercept, scale;
  POINTER(i64, row_end);
  POINTER(int, index);
  POINTER(double, value);
} plain;

// Loads of 16 bytes stay within the text: a field has to begin so far before its end.
#define REACH 16

// Where the first of three bytes stands from c on, if within the text; its end otherwise.
INLINE const byte *first_of(const byte *c, const byte *end, byte x, byte y, byte z) {
  for (; c + REACH <= end; c += REACH) {
    s16 text = *(const s16 *)c;
    int found = __builtin_wasm_bitmask_i8x16((s16)((text == (signed char)x) |
                                                   (text == (signed char)y) |
                                                   (text == (signed char)z)));
    if (found) return c + __builtin_ctz((unsigned)found);
  }
  return end;
}

INLINE int is_blank(byte c) { return c == ' ' || c == '\t'; }

// Whether a slot has the text from c on, of so many bytes. It reads 8 bytes, or more.
INLINE int is_text(const slot *s, const byte *c, i64 n) {
  i64 own = n < 8 ? ((1ll << 8 * n) - 1) : -1;
  if (s->length != n || ((*(const word *)c ^ s->head) & own)) return 0;
  if (n <= 8) return 1;
  for (i64 k = 8; k < n - 8; k += 8)
    if (*(const word *)(s->text + k) != *(const word *)(c + k)) return 0;
  return *(const word *)(s->text + n - 8) == *(const word *)(c + n - 8);
}

// The quick number of a text: quickOf of core/data/dictionary.go.
INLINE int quick(const byte *c, i64 n) {
  return n ? (byte)(n << 4 ^ c[0] ^ c[n / 2] << 2 ^ c[n - 1] << 5) : 0;
}

// Sets *code to that of the text and returns 1, or returns 0 if there is none.
INLINE int find(const field *f, const byte *c, const byte *end, int *code) {
  const slot *likely = f->slots + f->quick[quick(c, end - c)];
  if (likely->used && is_text(likely, c, end - c)) {
    *code = likely->code;
    return 1;
  }
  unsigned hash = 2166136261u; // FNV-1a
  for (const byte *b = c; b < end; b++) hash = (hash ^ *b) * 16777619u;
  for (unsigned i = hash & (unsigned)f->mask;; i = (i + 1) & (unsigned)f->mask) {
    const slot *s = f->slots + i;
    if (!s->used) return 0;
    if (s->hash != hash || !is_text(s, c, end - c)) continue;
    *code = s->code;
    return 1;
  }
}

// Reads a decimal without an exponent whose digits are a whole number m ≤ 2^53, which one division
// by a power of ten rounds correctly. Returns 0 for all others.
INLINE int decimal(const double *power, const byte *c, const byte *end, double *x) {
  int negative = c < end && *c == '-';
  if (c < end && (*c == '-' || *c == '+')) c++;
  i64 m = 0;
  int digits = 0, places = 0, point = 0;
  for (; c < end; c++) {
    if (*c == '.' && !point) {
      point = 1;
      continue;
    }
    unsigned digit = (unsigned)*c - '0';
    if (digit > 9 || m > (1ll << 53) / 10) return 0;
    m = m * 10 + digit;
    digits++;
    places += point;
  }
  if (!digits || m > 1ll << 53 || places > 22) return 0;
  *x = (double)m;
  if (places) *x /= power[places];
  if (negative) *x = -*x;
  return 1;
}

// Reads one field's text; returns 0 if it is not plain.
INLINE int read(const plain *p, const field *f, const byte *c, const byte *end, int record) {
  if (f->kind == SKIP) return 1;
  i64 at = record * p->results + f->to;
  int code = 0;
  if (f->kind == CODE) {
    if (!find(f, c, end, &code) || code < 0) return 0;
    p->column[at] = f->first + code;
    p->entry[at] = 1;
    return 1;
  }
  double x;
  if (f->slots && find(f, c, end, &code)) return 0;
  if (!decimal(p->power, c, end, &x) || !(x >= f->least && x <= f->most)) return 0;
  if (f->kind == SCALED) {
    x = (x - f->least) / f->span;
    x = x < 1 ? x : 1;
  }
  p->column[at] = f->first;
  p->entry[at] = x;
  return 1;
}

// Reads the record that begins at c, and returns where the next one does; 0 if it is not plain.
INLINE const byte *record(plain *p, const byte *c, const byte *end, int number) {
  byte delimiter = (byte)p->delimiter;
  for (int k = 0;; k++) {
    while (c < end && is_blank(*c) && *c != delimiter) c++;
    if (c + REACH > end) return 0;
    const byte *from = c, *to;
    if (*c == '"') {
      from++;
      to = first_of(from, end, '"', '\n', '\r');
      if (to == end || *to != '"') return 0;
      c = to + 1;
      p->quotes = 1;
      while (from < to && is_blank(*from)) from++;
    } else {
      to = c = first_of(c, end, delimiter, '\n', '\r');
    }
    if (c == end) return 0;
    while (to > from && is_blank(to[-1])) to--;
    if (from + REACH > end || !read(p, p->field + k, from, to, number)) return 0;
    if (k + 1 < (int)p->width) {
      if (*c++ != delimiter) return 0;
    } else if (*c == '\n') {
      return c + 1;
    } else {
      return *c == '\r' && c + 1 < end && c[1] == '\n' ? c + 2 : 0;
    }
  }
}

// Reads plain records, up to the first that is not, and returns how many.
EXPORT(records) int records(plain *p) {
  const byte *c = p->text + p->at, *end = p->text + p->end;
  for (int n = 0; n < (int)p->records; n++) {
    c = record(p, c, end, n);
    if (!c) return n;
    p->next[n] = c - p->text;
  }
  return (int)p->records;
}

// Scales a row's entries to a norm of at most 1, as package data's norm.go proves.
INLINE void bound(double *entry, int n, i64 unit) {
  double squares = 0, u = 0x1p-53;
  if (n == 1 && unit) entry[0] = 1;
  if (n < 2) return;
  for (int k = 0; k < n; k++) squares += entry[k] * entry[k];
  if (!unit && squares <= 1 - (n + 2) * u) return;
  if (squares < 0x1p-900) { // scaled up first, which is exact
    squares = 0;
    for (int k = 0; k < n; k++) {
      entry[k] *= 0x1p+600;
      squares += entry[k] * entry[k];
    }
  }
  double factor = (1 - (n + 8) * u) / __builtin_sqrt(squares);
  for (int k = 0; k < n; k++) entry[k] *= factor;
}

// Makes rows of the first records, and returns how many entries they have together.
EXPORT(rows) int rows(const plain *p) {
  int end = 0, features = (int)p->results - 1;
  for (int i = 0; i < (int)p->rows; i++) {
    const int *column = p->column + i * (int)p->results;
    const double *entry = p->entry + i * (int)p->results;
    int *index = p->index + end;
    double *value = p->value + end;
    int n = 0, kept = 0;
    for (int k = 0; k < features; k++)
      if (entry[k] > 0) {
        index[n] = column[k];
        value[n++] = entry[k];
      }
    if (p->scale > 0)
      for (int k = 0; k < n; k++) value[k] *= p->scale;
    else
      bound(value, n, p->unit);
    for (int k = 0; k < n; k++)
      if (value[k] != 0) { // not lost to underflow
        index[kept] = index[k];
        value[kept++] = value[k];
      }
    if (p->intercept > 0) {
      index[kept] = (int)p->last;
      value[kept++] = p->intercept;
    }
    end += kept;
    p->row_end[i] = end;
  }
  return end;
}
