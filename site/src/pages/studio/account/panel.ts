import { html, nothing, svg, type TemplateResult } from "lit/html.js";

import { straight } from "../../../client/straight.ts";
import { readableBound, readableLeast } from "../../../chart/numbers.ts";
import type { Account, Adjacency } from "../../../client/types.ts";
import { checkTotal, type FileAccount, type FileAccountState, quoted } from "./file-account.ts";
import { plural } from "../../shell/words.ts";
import type { BooksState } from "./books.ts";
import { type Again, chargesTable } from "./charges.ts";
import { checkbox, radios, selectField, textField } from "../../shell/field.ts";
import { problemNotice } from "../../shell/notice.ts";
import { progressBar } from "../../shell/progress.ts";

export interface AccountView {
  readonly fileAccount: FileAccount;
  readonly state: FileAccountState;
  readonly books: BooksState;
  /** Prefix of ids, for there may be two accounts on the page. */
  readonly id: string;
  readonly title: string;
  /** The next purchase, as "this model". */
  readonly next: string;
  /** The progress of looking it up is shown elsewhere. */
  readonly quiet: boolean;
  /** Hands out again what was bought before; null until it is fetched. */
  readonly again: Again | null;
  /** The page does something that must not be disturbed. */
  readonly busy: boolean;
  readonly look: () => void;
  readonly save: () => void;
}

/** The account of a file: what may be spent on its people in all, what was, and what is left. */
export function accountPanel(v: AccountView): TemplateResult {
  return html`<section
    class="account"
    id=${v.id}
    data-phase=${v.state.phase}
    tabindex="-1"
    aria-labelledby="${v.id}-title"
  >
    <h3 id="${v.id}-title">${v.title}</h3>
    ${content(v)}
  </section>`;
}

function content(v: AccountView): TemplateResult {
  const { state } = v;
  switch (state.phase) {
    case "idle":
      return html`<p class="soft">
        The file is looked up in the ledger as soon as its columns are described.
      </p>`;
    case "looking":
      return v.quiet
        ? html`<p class="soft">The file is being looked up in the ledger.</p>`
        : progressBar("Looking the file up in the ledger", state.progress, () =>
            v.fileAccount.cancel(),
          );
    case "unread":
      return html`${
          state.problem
            ? html`<p>
                  The page has to read the file once with its description, so that it knows the file
                  again. That did not work yet:
                </p>
                ${problemNotice(state.problem, { id: `${v.id}-problem` })}`
            : html`<p>The file was not looked up in the ledger yet.</p>`
        }
        <p class="actions">
          <button class="button" type="button" @click=${v.look}>Look it up</button>
        </p>`;
    case "unavailable":
      return unavailable(v);
    case "unknown":
      return html`${state.problem ? problemNotice(state.problem, { id: `${v.id}-problem` }) : nothing}
      ${sameOrNew(v)}`;
    case "open":
      return html`${state.problem ? problemNotice(state.problem, { id: `${v.id}-problem` }) : nothing}
      ${state.account?.budget ? standing(v, state.account) : opening(v)}`;
  }
}

const why: Readonly<Record<string, string>> = {
  missing:
    "This browser cannot store it (there is no IndexedDB). Some private windows and settings forbid storage: try an ordinary window.",
  blocked: "Another tab of this page is blocking it. Close other tabs and try again.",
  full: "There is no room for it. Free some space on the disk, or allow this site to store more, and try again.",
  broken: "The browser’s storage failed.",
};

function unavailable(v: AccountView): TemplateResult {
  const { problem, accepted } = v.state;
  return html`<div class="notice notice-warn">
      <h3>Nothing can be noted in the ledger here</h3>
      <p>
        ${why[problem?.field ?? ""] ?? nothing}
        <span class="soft small">${problem?.message}</span>
      </p>
      <p>
        Without it this page cannot know what was spent on these people before, and cannot refuse a
        fit that would be too much. It forgets this visit when you leave.
      </p>
      <p class="actions">
        <button class="button button-quiet" type="button" @click=${v.look}>Try again</button>
      </p>
    </div>
    ${checkbox({
      id: `${v.id}-accepted`,
      checked: accepted,
      label:
        "Go on without a ledger: I know what was spent on these people, and will keep count of it myself",
      change: (on) => v.fileAccount.accept(on),
    })}`;
}

/** A file that has no account: it may be another version of one that has. */
function sameOrNew(v: AccountView): TemplateResult {
  const { others, like, same, working } = v.state;
  if (others.length === 0) return opening(v);
  const chosen = others.find((a) => a.id === same) ?? others[0]!;
  const offer = html`<p>
      A corrected, sorted or extended table of the same people shares their total. What was spent on
      the earlier one counts for it, too. If they are other people, it is a new data set.
    </p>
    ${
      others.length > 1
        ? selectField({
            key: `${v.id}-same`,
            label: "The earlier data set",
            value: chosen.id,
            choices: others.map((a) => ({
              value: a.id,
              text: `${straight(a.name)}, ${spentWords(a)}`,
            })),
            choose: (id) => v.fileAccount.choose(id),
          })
        : nothing
    }
    <p class="actions">
      <button
        class="button"
        type="button"
        ?disabled=${working}
        @click=${() => void v.fileAccount.join()}
      >
        Same people as ${straight(chosen.name)}
      </button>
    </p>`;
  return like > 0
    ? html`<div class="notice notice-warn">
          <h3>Is this ${straight(chosen.name)} again?</h3>
          <p>
            The ledger does not know this file as it is, but has an account of that name:
            ${spentWords(chosen)}.
          </p>
          ${offer}
        </div>
        ${opening(v)}`
    : html`${opening(v)}
        <details class="disclosure">
          <summary>It is another version of a file that I used before</summary>
          <div>${offer}</div>
        </details>`;
}

function spentWords({ charges, spent, budget }: Account): string {
  const what =
    charges.length === 0
      ? "nothing spent yet"
      : `${charges.length} ${plural(charges.length, "charge", "charges")}`;
  return budget
    ? `${what}, ε ${readableBound(spent ?? 0)} of ${readableBound(budget.epsilon)}`
    : what;
}

/** Fixing the total, once. */
function opening(v: AccountView): TemplateResult {
  const { draft, attempted, working, others } = v.state;
  const { errors } = checkTotal(draft);
  const errorOf = (field: string) =>
    attempted ? errors.find((e) => e.field === field)?.message : undefined;
  return html`<form
    @submit=${(e: Event) => {
      e.preventDefault();
      void v.fileAccount.fix();
    }}
  >
    <p>
      ${others.length > 0 ? "For a new data set: choose" : "This file is new here. Choose"} once
      what <strong>everything ever made from it</strong> may tell about any one person, together.
      The measure is ε: a smaller ε tells less. Each model below then spends a part of this, and the
      page refuses what would go beyond.
    </p>
    <div class="row row-short">
      ${textField({
        key: `${v.id}-epsilon`,
        label: "ε in all",
        value: draft.epsilon,
        short: true,
        numeric: true,
        error: errorOf("epsilon"),
        input: (epsilon) => v.fileAccount.change({ epsilon }),
      })}
      ${textField({
        key: `${v.id}-delta`,
        label: "δ in all",
        value: draft.delta,
        short: true,
        numeric: true,
        error: errorOf("delta"),
        input: (delta) => v.fileAccount.change({ delta }),
      })}
    </div>
    <p class="small soft">
      3 is a usual total: it holds a few models at ε = 1, or many small ones. You cannot change it
      once something is spent: a limit that moves when it is reached is no limit.
    </p>
    <details class="disclosure">
      <summary>Details: what one person’s difference is</summary>
      ${radios({
        name: `${v.id}-adjacency`,
        legend: "The data with a person are compared with",
        value: draft.adjacency,
        choices: [
          {
            value: "add-remove",
            label: "the data without them (usual): adding or removing one row",
          },
          {
            value: "replace-one",
            label: "the data with another person in their place: the number of rows is public then",
          },
        ],
        choose: (adjacency) => v.fileAccount.change({ adjacency: adjacency as Adjacency }),
      })}
    </details>
    <p class="actions">
      <button class="button button-main" type="submit" id="${v.id}-fix" ?disabled=${working}>
        Fix this total
      </button>
    </p>
  </form>`;
}

/** What was spent, what is left, and what the next purchase would make of it. */
function standing(v: AccountView, account: Account): TemplateResult {
  const { budget, condition, charges } = account;
  if (!budget) return opening(v);
  const spent = Math.min(account.spent ?? 0, budget.epsilon);
  const left = account.left ?? 0;
  const quote = quoted(v.state);
  const after = quote?.answer.affords ? quote.answer.spent : null;
  return html`
    <p class="account-name">${straight(account.name)}</p>
    ${bar(spent, after, budget.epsilon)}
    <p>
      ${
        condition === "exceeded"
          ? html`<strong>More than the total was spent</strong> on these people, by accounts that
              were put together: the promise of ε = ${readableBound(budget.epsilon)} no longer
              holds, and nothing more is allowed.`
          : condition === "closed"
            ? html`<strong>All is spent.</strong> The first purchase used up the total of ε =
                ${readableBound(budget.epsilon)}, and nothing can follow it.`
            : html`<strong>ε = ${readableLeast(left)} is left</strong> of
                ${readableBound(budget.epsilon)}, at δ = ${readableBound(budget.delta)}.
                ${charges.length === 0 ? "Nothing is spent yet." : `${charges.length} ${plural(charges.length, "purchase has", "purchases have")} used ε = ${readableBound(spent)}.`}`
      }
      ${
        after !== null && condition === "open"
          ? quote?.answer.affords && quote.answer.closes
            ? html`After ${v.next} nothing could follow.`
            : html`After ${v.next},
                <span class="whole">ε = ${readableLeast(Math.max(0, budget.epsilon - after))}</span>
                would be.`
          : nothing
      }
    </p>
    ${charges.length > 0 ? chargesTable(v.again, v.state, account, v.busy) : nothing}
    ${kept(v, account)}
  `;
}

const wide = 480;

/**
 * The total as a bar: what is spent, what the next purchase would add, what is left. The text
 * beside it says the same.
 */
function bar(spent: number, after: number | null, total: number): TemplateResult {
  const x = (epsilon: number) => Math.min(1, epsilon / total) * wide;
  return html`<svg
    class="spending"
    viewBox="0 0 ${wide} 18"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${svg`<rect class="spending-left" x="0.5" y="1.5" width=${wide - 1} height="15" rx="3" />
      ${after === null ? nothing : svg`<rect class="spending-next" x="0.5" y="1.5" width=${Math.max(0, x(after) - 1)} height="15" rx="3" />`}
      <rect class="spending-gone" x="0.5" y="1.5" width=${Math.max(0, x(spent) - 1)} height="15" rx="3" />`}
  </svg>`;
}

/** How safe the account is in this browser. */
function kept(v: AccountView, { charges }: Account): TemplateResult | typeof nothing {
  const { persistence, copied } = v.books;
  if (charges.length === 0)
    return html`<p class="small soft">
      The account is kept in this browser. To use another browser, take it along as a file.
    </p>`;
  if (persistence?.persisted || copied) {
    return html`<p class="small soft">
      The account is kept in this
      browser${persistence?.persisted ? ", which has promised not to clear it by itself" : ", and you have a copy of it"}.
    </p>`;
  }
  return html`<p class="small">
    The account is kept in this browser only, which
    <strong>may clear it</strong> when room is short, or after weeks without a visit.
    <button class="link" type="button" @click=${v.save}>Save a copy of the ledger</button>
  </p>`;
}
