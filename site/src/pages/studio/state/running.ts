/** The one long work of the page, reading or fitting: whatever starts next ends it. */
export class Running {
  private control: AbortController | null = null;

  start(): AbortController {
    this.stop();
    this.control = new AbortController();
    return this.control;
  }

  /** Whether this work is still the one that is waited for. */
  is(control: AbortController): boolean {
    return control === this.control;
  }

  /** Takes note that it has ended by itself. */
  done(control: AbortController): void {
    if (this.is(control)) this.control = null;
  }

  stop(): void {
    this.control?.abort();
    this.control = null;
  }

  /** Ends the work and leaves it to say so. */
  cancel(): void {
    this.control?.abort();
  }
}
