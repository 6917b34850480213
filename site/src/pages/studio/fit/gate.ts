import { CloisterError } from "../../../client/types.ts";
import { canBuy } from "../account/file-account.ts";
import { isAborted, pageProblem, problemOf, spentOn } from "../../shell/problem.ts";
import { busy, needsAccount, type State } from "../state/state.ts";
import { idle } from "../state/work.ts";
import type { Workspace } from "../state/workspace.ts";

/** What stands before a purchase of step 4: the core, the entries, and the account of the file. */
export class Gate {
  constructor(private readonly studio: Workspace) {}

  private get state(): State {
    return this.studio.state;
  }

  private set(change: Partial<State>): void {
    this.studio.store.set(change);
  }

  /**
   * Waits for the core, which is still being compiled when a fit is asked for at once; false if the
   * fit is not to go on.
   */
  async prepared(): Promise<boolean> {
    const { studio } = this;
    const { running } = studio;
    if (studio.client || busy(this.state)) return true;
    const control = running.start();
    this.set({
      fit: { phase: "running", progress: null },
      announcement: "Fitting starts as soon as the page is ready.",
    });
    const then = await studio.core(control.signal).then(
      () => idle,
      // the page says itself that it could not be opened
      (error: unknown): State["fit"] => (isAborted(error) ? { phase: "cancelled" } : idle),
    );
    if (!running.is(control)) return false;
    running.done(control);
    this.set({ fit: then });
    return studio.client !== null && then === idle;
  }

  /**
   * Says that a fit or a search ended without a release: cancelled or failed, in these words, and
   * whether that was charged for all the same. `unnoted`: it is spent, and no ledger keeps it.
   */
  ended(
    error: unknown,
    unnoted: boolean,
    words: { readonly cancelled: string; readonly failed: string },
  ): void {
    const cancelled = isAborted(error);
    const charged = error instanceof CloisterError && error.charged !== undefined;
    this.set({
      fit: cancelled
        ? {
            phase: "cancelled",
            ...(charged && { charged: "unknown" }),
            ...(unnoted && { charged: "unnoted" }),
          }
        : { phase: "failed", problem: unnoted ? spentOn(error) : problemOf(error) },
      announcement: `${cancelled ? words.cancelled : words.failed} Nothing was released.`,
    });
  }

  /** Says that entries of the steps before are wrong. */
  refuseEntries(): void {
    this.set({
      fit: {
        phase: "failed",
        problem: pageProblem(
          "Not yet",
          "A few entries in the steps before need a correction first.",
        ),
      },
    });
  }

  /** Whether something can be bought of the open file, which is looked up first if need be. */
  async accounted(): Promise<boolean> {
    const { studio } = this;
    if (!needsAccount(this.state) || canBuy(this.state.fileAccount)) return true;
    if (this.state.fileAccount.phase === "idle" || this.state.fileAccount.phase === "unread") {
      this.set({
        fit: { phase: "running", progress: null },
        announcement: "Looking the file up in the ledger.",
      });
      await studio.look();
      const { phase, problem: why } = this.state.fileAccount;
      if (phase === "unread" && !why) {
        this.set({
          fit: { phase: "cancelled" },
          announcement: "The fit was cancelled. Nothing was released.",
        });
        return false;
      }
    }
    if (canBuy(this.state.fileAccount)) return true;
    this.refuseWithoutAccount();
    return false;
  }

  /** Says why a fit has to wait for the account of its file, in the words of what is missing. */
  private refuseWithoutAccount(): void {
    const { fileAccount } = this.state;
    const problem =
      fileAccount.phase === "unread" && fileAccount.problem
        ? fileAccount.problem
        : fileAccount.phase === "unavailable"
          ? pageProblem(
              "Not yet",
              "There is no ledger here to note this in. Step 3 says why, and how to go on without.",
              "account",
            )
          : fileAccount.phase === "unread"
            ? pageProblem(
                "Not yet",
                "The file has to be looked up in the ledger first. Step 3 does that.",
                "account",
              )
            : pageProblem(
                "Not yet",
                "Fix first, in step 3, what all models from this file together may spend.",
                "account",
              );
    this.set({
      fit: { phase: "failed", problem },
      announcement: "Not fitted yet.",
    });
  }

  /**
   * Says whether a cancelled purchase was noted in the ledger, once it has been read again: what
   * its worker had begun to write is written or undone before that, also what the page had not
   * heard of. `before`: how many charges there were.
   */
  async settle(read: Promise<void>, before: number): Promise<void> {
    await read;
    const { fit, fileAccount } = this.state;
    if (
      fit.phase !== "cancelled" ||
      !fileAccount.account ||
      fileAccount.problem ||
      fileAccount.phase !== "open"
    )
      return;
    const charged = fileAccount.account.charges.length > before;
    if (!charged && !fit.charged) return;
    this.set({
      fit: { phase: "cancelled", charged: charged ? "yes" : "no" },
      announcement: charged
        ? "The cancelled fit had been noted in the ledger, and counts."
        : "The cancelled fit was not noted in the ledger.",
    });
  }
}
