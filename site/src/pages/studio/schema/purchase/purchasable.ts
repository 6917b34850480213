// What can be bought about a column: bounds or categories, and how the two differ.

import { readable } from "../../../../chart/numbers.ts";
import type {
  Account,
  Bought,
  BoundsPlan,
  BoundsRelease,
  BoundsResult,
  CategoriesPlan,
  CategoriesRelease,
  CategoriesResult,
  Client,
  LedgerCharge,
  ReadingOptions,
  Source,
} from "../../../../client/types.ts";
import type { FileAccountState } from "../../account/file-account.ts";
import { type BoughtPart, textOf } from "../../draft/draft.ts";

/** One column of a release, as it goes into the schema; null where nothing was found. */
export interface Part {
  readonly name: string;
  readonly put: BoughtPart | null;
}

export interface Request {
  readonly adjacency: "add-remove" | "replace-one";
  readonly epsilon: number;
  /** What one purchase of categories may fail with. */
  readonly delta: number;
}

export interface Purchase {
  plan(
    client: Client,
    request: Request & { readonly columns: number },
  ): Promise<BoundsPlan | CategoriesPlan>;
  buy(
    client: Client,
    of: Source,
    request: Request &
      ReadingOptions & {
        readonly columns: readonly string[];
        readonly missingValues: readonly string[];
      },
  ): Promise<Bought<BoundsResult> | Bought<CategoriesResult>>;
  /** The release's columns. */
  parts(release: BoundsRelease | CategoriesRelease, charge: LedgerCharge): Part[];
  /** What was bought of a column, in a line. */
  words(part: BoughtPart): string;
}

/**
 * A purchase of categories takes a sixteenth of what the account has set aside for such, so that
 * there can be several.
 */
export const deltaOf = ({ aside, budget }: Pick<Account, "aside" | "budget">): number =>
  (aside ?? (budget?.delta ?? 0) / 64) / 16;

/**
 * What to say where no account is known to have the charge that something is said to be bought by;
 * null where the account has it, or was not read yet. A schema that was taken in may say anything;
 * what it says of a charge that is there is held to when it is fitted.
 */
export function uncharged(
  {
    phase,
    account,
  }: Pick<FileAccountState, "phase"> & {
    readonly account: Pick<Account, "charges"> | null;
  },
  { charge }: Pick<BoughtPart, "charge">,
): string | null {
  switch (phase) {
    case "open":
      return account && !account.charges.some(({ id }) => id === charge)
        ? "The account of this file has no such charge."
        : null;
    case "unknown":
      return "This file has no account here that could have such a charge.";
    case "unavailable":
      return "Whether this file has such a charge cannot be looked up here.";
    default:
      return null;
  }
}

export const purchases: Readonly<Record<"bounds" | "categories", Purchase>> = {
  bounds: {
    plan: (client, { delta: _, ...request }) => client.planBounds(request),
    buy: (client, of, { delta: _, ...request }) => client.ledger.bounds(of, request),
    parts: (release, { id }) =>
      (release as BoundsRelease).columns.map(({ name, min, max }) => ({
        name,
        put:
          min === undefined || max === undefined
            ? null
            : { charge: id, epsilon: release.epsilon, min: String(min), max: String(max) },
      })),
    words: ({ min, max }) => `${readable(Number(min))} to ${readable(Number(max))}`,
  },
  categories: {
    plan: (client, request) => client.planCategories(request),
    buy: (client, of, request) => client.ledger.categories(of, request),
    parts: (release, { id }) => {
      const { columns, epsilon, delta } = release as CategoriesRelease;
      return columns.map(({ name, categories }) => ({
        name,
        put:
          categories.length === 0
            ? null
            : { charge: id, epsilon, delta, min: "", max: "", categories: textOf(categories) },
      }));
    },
    words: ({ categories = "" }) => {
      const list = categories.split("\n");
      return list.length > 12
        ? `${list.length} categories: ${list.slice(0, 10).join(", ")} and others`
        : list.join(", ");
    },
  },
};
