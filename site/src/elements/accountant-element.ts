// An element that asks the page's accountant.

import { accountant, type Accountant, defaultWasm } from "../curves/accountant.ts";
import { CloisterElement } from "./base.ts";

export abstract class AccountantElement extends CloisterElement {
  protected accountant(): Promise<Accountant> {
    return accountant(this.wasm(defaultWasm));
  }
}
