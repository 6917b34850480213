// Registers <my-privacy> if the name is still free. If another version of this script was first,
// its element stays as it is.

import { MyPrivacy } from "./my-privacy.ts";

if (!customElements.get("my-privacy")) customElements.define("my-privacy", MyPrivacy);

export { MyPrivacy };
