/**
 * Works out one question. It returns true when all of the answer is certified, so that nothing is
 * left to ask, and may stop early when {@link Queue.outdated} says so.
 * @param moving a hand is moving a slider: an estimate is wanted now, the certified answer later
 */
export type Answer<Question> = (question: Question, moving: boolean) => Promise<boolean>;

/**
 * Takes the questions that a slider asks, from estimate to certified. One is under way, and of
 * those that come meanwhile the last one waits. While the slider moves, answers may be estimates.
 * When it has rested, the last question is asked once more, for its certified answer.
 */
export class Queue<Question> {
  #next: { readonly question: Question; readonly moving: boolean } | undefined;
  #busy = false;
  #stopped = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  readonly #answer: Answer<Question>;
  readonly #failed: (error: unknown) => void;
  readonly #rest: number;

  /**
   * @param failed hears of an error, unless another question waits by then
   * @param rest milliseconds for which a slider must rest before the certified answer is asked for
   */
  constructor(answer: Answer<Question>, failed: (error: unknown) => void, rest: number) {
    this.#answer = answer;
    this.#failed = failed;
    this.#rest = rest;
  }

  /** Another question waits: the answer under way is not wanted any more. */
  get outdated(): boolean {
    return this.#next !== undefined;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Asks. A question that waits is forgotten. */
  ask(question: Question, moving: boolean): void {
    this.#next = { question, moving };
    clearTimeout(this.#resting);
    void this.#work();
  }

  /** Answers nothing more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#resting);
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next && !this.#stopped) {
      const { question, moving } = this.#next;
      this.#next = undefined;
      try {
        const settled = await this.#answer(question, moving);
        if (!moving || settled || this.#next || this.#stopped) continue;
        this.#resting = setTimeout(() => this.ask(question, false), this.#rest);
      } catch (error) {
        if (!this.#next && !this.#stopped) this.#failed(error);
      }
    }
    this.#busy = false;
  }
}
