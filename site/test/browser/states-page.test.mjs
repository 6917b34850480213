// The states of the page before anything is fitted, each looked at in both themes, wide and narrow.

import { looks } from "../harness/looks.mjs";

looks("page");
