// The states of a model, each looked at in both themes, wide and narrow.

import { looks } from "../harness/looks.mjs";

looks("model");
