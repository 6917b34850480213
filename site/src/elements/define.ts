// Importing this registers the elements. The classes by themselves register nothing.

import { CurveChart } from "./curve-chart.ts";

if (!customElements.get("curve-chart")) customElements.define("curve-chart", CurveChart);
