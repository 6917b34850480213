// The states of an own file and its account, each looked at in both themes, wide and narrow.

import { looks } from "../harness/looks.mjs";

looks("account");
