// What the page lends to what hands earlier purchases out again (src/publish/again.ts, fetched beside the page), so that it has no copy of its own.

import { curvesOf } from "./curves.ts";
import { download } from "./download.ts";
import { problemOf } from "./problem.ts";
import { busy, emptyPredict } from "./state.ts";

export const forAgain = { busy, curvesOf, download, emptyPredict, problemOf };
