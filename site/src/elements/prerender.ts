// The picture that stands inside a <privacy-curve> for readers without scripts, drawn by what draws the element itself. For Node; scripts/prerender.mjs puts it
// into pages.

import { plot, plotText } from "../chart/plot.ts";
import type { Accountant } from "./accountant.ts";
import type { Get } from "./attributes.ts";
import { CurveModel } from "./curve-model.ts";
import { curveSpec } from "./curve-spec.ts";
import { draw, sentence } from "./curve-views.ts";

/** The <svg> of an element with these attributes and this JSON inside, `width` pixels wide. Rejects as the element would fail. */
export async function curvePicture(get: Get, json: unknown, accountant: Pick<Accountant, "account">, width = 640): Promise<string> {
  const spec = curveSpec(get, json);
  const model = await new Promise<CurveModel>((done, failed) => {
    const model = new CurveModel(spec, Promise.resolve(accountant as Accountant), { drawn: () => model.settled && done(model), failed });
    model.need(spec.view, false);
  });
  const drawing = draw(spec.view, model.lines, model.scope!);
  return plotText(plot({ size: { width, height: Math.round(Math.min(400, Math.max(270, width * 0.5))) }, ...drawing }), sentence(spec.view, model.lines, model.scope!));
}

export { load } from "../client/node.ts";
