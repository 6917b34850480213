// Whether the page's content security policy stops a worker from a blob. The worker's own error
// does not say so, the page's event does.

export class PolicyWatch {
  private directive: string | undefined;
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
    globalThis.document?.addEventListener("securitypolicyviolation", this.seen);
  }

  private readonly seen = (event: SecurityPolicyViolationEvent): void => {
    const { blockedURI, effectiveDirective, disposition } = event;
    const own = blockedURI === "blob" || blockedURI === this.url;
    if (own && disposition === "enforce") this.directive = effectiveDirective;
  };

  /** Makes the worker. Some browsers throw where the policy forbids it. */
  during<T>(make: () => T): T {
    try {
      return make();
    } catch (error) {
      this.end();
      if ((error as Error).name !== "SecurityError") throw error;
      throw new Error(this.why() ?? advice("worker-src"), { cause: error });
    }
  }

  /** What the policy stopped, and what to add to it; undefined if it stopped nothing. */
  why(): string | undefined {
    return this.directive && advice(this.directive);
  }

  end(): void {
    globalThis.document?.removeEventListener("securitypolicyviolation", this.seen);
  }
}

/** Without worker-src a browser goes by script-src or default-src, and may name that. */
const advice = (directive: string): string =>
  `the page's content security policy (${directive}) forbids a worker from a blob. Add "worker-src blob:" to the policy, or give load() a worker of your own`;
