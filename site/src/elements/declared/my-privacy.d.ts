// What the package says of cloister/my-privacy. Held to the element itself by held.ts.

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
