import { straight } from "./straight.ts";
import type { ErrorCode, ErrorPlace } from "./wire/types.ts";

export type { ErrorCode, ErrorPlace };

/**
 * The only kind of error that the client's promises reject with. Its message quotes files: what in
 * them turns the text beside it, or ends its line, stands there as a number.
 */
export class CloisterError extends Error {
  override readonly name = "CloisterError";
  readonly code: ErrorCode;
  readonly field?: string;
  readonly row?: number;
  readonly column?: string;
  readonly line?: readonly string[];
  readonly charged?: string;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}, options?: ErrorOptions) {
    super(straight(message), options);
    this.code = code;
    if (place.field !== undefined) this.field = place.field;
    if (place.row !== undefined) this.row = place.row;
    if (place.column !== undefined) this.column = place.column;
    if (place.line !== undefined) this.line = place.line;
    if (place.charged !== undefined) this.charged = place.charged;
  }
}

/** The reason that a failure outside this library gives, as the end of one of our sentences. */
export function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
