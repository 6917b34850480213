// Draws the picture that the page shows before any script has run, with the page's own code. It
// runs in Node; site/build.mjs puts the picture into the page.

import { plotText } from "../../chart/plot.ts";
import type { Accountant } from "../../curves/accountant.ts";
import { draw, plotted, sentence } from "./drawing.ts";
import type { Picture } from "./lines.ts";
import { Model } from "./model.ts";
import { defaultPreset, stateOf } from "./presets.ts";
import type { State } from "./state.ts";

export { load } from "../../client/node.ts";

/** The certified picture of a state, with its crossings. */
export function pictureOf(
  state: State,
  accountant: Pick<Accountant, "account" | "estimate" | "solve">,
): Promise<Picture> {
  return new Promise((done, failed) => {
    const model = new Model(Promise.resolve(accountant as Accountant), {
      drawn: (picture) => picture.settled && picture.places && done(picture),
      failed,
    });
    model.need(state, false);
  });
}

/** The default's picture as an <svg>, and what it shows in a sentence. */
export async function firstPicture(
  accountant: Pick<Accountant, "account" | "estimate" | "solve">,
): Promise<{ svg: string; says: string }> {
  const picture = await pictureOf(stateOf(defaultPreset), accountant);
  const drawing = draw(picture);
  const says = sentence(picture, drawing);
  const text = plotText(
    plotted({ ...picture, places: [] }, drawing, { width: 820, height: 459 }),
    says,
  );
  return { svg: text.replace("<svg ", '<svg class="first-picture" '), says };
}
