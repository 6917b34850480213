// The declarations of cloister/my-privacy. held.ts checks them against the element itself.

/** Events: `error` (an ErrorEvent), `answer`. */
export declare class MyPrivacy extends HTMLElement {
  /** The release and the report, for a program that has them already; ahead of the attributes. */
  documents: { readonly release: unknown; readonly report: unknown } | undefined;
  /** What is wrong with the element, for people; empty where nothing is. */
  readonly failure: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "my-privacy": MyPrivacy;
  }
}
