// What is entered about a scorecard: how its attributes are divided into levels.

/** A level of texts. */
export interface LevelDraft {
  readonly name: string;
  /** The name was typed; any other is made of categories. */
  readonly named?: true;
  /** Categories of the column. */
  readonly values: readonly string[];
}

/** What was entered about an attribute. */
export interface AttributeDraft {
  /** Cut points as they are typed; left out, the page proposes some from the bounds. */
  readonly cuts?: string;
  /**
   * Cut points that were proposed from bounds that the file gave away, and typed on from: the
   * attribute is not public as long as one of them is left that public bounds do not propose.
   */
  readonly read?: readonly number[];
  /** Merged levels; a category that none of them has is a level by itself. */
  readonly merged?: readonly LevelDraft[];
}

export interface CardDraft {
  /** A scorecard is to be made of it, not a model. */
  readonly making: boolean;
  /** The columns that are attributes, by id; left out, the page takes the first few. */
  readonly chosen?: readonly string[];
  /** What was entered, by the column's id. */
  readonly entered: Readonly<Record<string, AttributeDraft>>;
  /** Points are whole numbers from −points to points. */
  readonly points: 1 | 2;
  /** Counts with noise are to be bought, on which many cards are explored, and not one card. */
  readonly many?: boolean;
}

export const firstCard: CardDraft = { making: false, entered: {}, points: 1 };
