// The states of evaluations, and of models of other labels, each looked at in both themes, wide and
// narrow.

import { looks } from "../harness/looks.mjs";

looks("kinds");
