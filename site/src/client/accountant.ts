import type { CallSettings, Engine } from "./engine.ts";
import { CloisterError } from "./error.ts";
import type * as types from "./types.ts";
import type { MethodOf, Methods } from "./wire/calls.ts";

/** The calls of {@link types.Accountant}, each in terms of the core's methods. */
export class AccountantClient implements types.Accountant {
  protected readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  start(options: types.CallOptions = {}): Promise<types.About> {
    return this.#price("about", {}, options);
  }

  calibrate(
    request: types.ObjectiveRequest,
    options: types.CallOptions = {},
  ): Promise<types.Calibration> {
    return this.#price("calibrate", request, options);
  }

  account(
    description: types.AccountDescription,
    options: types.CallOptions = {},
  ): Promise<types.AccountResult> {
    return this.#price("account", description, options);
  }

  estimate(
    description: types.EstimateDescription,
    options: types.CallOptions = {},
  ): Promise<types.EstimateResult> {
    return this.#price("estimate", description, options);
  }

  check(
    description: types.CheckDescription,
    options: types.CallOptions = {},
  ): Promise<types.CheckResult> {
    return this.#price("check", description, options);
  }

  worst(
    description: types.WorstDescription,
    options: types.CallOptions = {},
  ): Promise<types.WorstResult> {
    return this.#price("worst", description, options);
  }

  solve(
    description: types.SolveDescription,
    options: types.CallOptions = {},
  ): Promise<types.SolveResult> {
    return this.#price("solve", description, options);
  }

  afford(
    description: types.AffordDescription,
    options: types.CallOptions = {},
  ): Promise<types.AffordResult> {
    return this.#price("afford", description, options);
  }

  async curve(
    { event, curve, name = "auto" }: types.CurveRequest,
    options: types.CallOptions = {},
  ): Promise<types.PrivacyCurve> {
    const { comparisons, inapplicable } = await this.account(
      { event, curve, compare: [name] },
      options,
    );
    const [drawn] = comparisons ?? [];
    if (drawn) return drawn;
    throw new CloisterError(
      "parameter",
      inapplicable?.[0]?.message ?? `The bound ${name} does not apply.`,
      { field: "name" },
    );
  }

  beside(): types.Accountant {
    return new AccountantClient(this.engine.beside());
  }

  terminate(): void {
    this.engine.terminate();
  }

  #price<M extends MethodOf<"curves">>(
    method: M,
    params: Methods[M]["params"],
    options: CallSettings,
  ): Promise<Methods[M]["result"]> {
    return this.engine.ask(method, params, options);
  }
}
