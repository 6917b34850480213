// The figure of the page on what objective perturbation costs.

import { WorstData } from "../../elements/worst-data.ts";

if (!customElements.get("worst-data")) customElements.define("worst-data", WorstData);
