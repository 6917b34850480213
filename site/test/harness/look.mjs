// What a drawing looks like, as data: shapes, their classes, paint and places. Compared with what
// was kept; CLOISTER_UPDATE=1 keeps it anew.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtures } from "./pages.mjs";

/** The shapes of all drawings in an element, as the browser paints them. */
export const shapesOf = (element) =>
  element.evaluate((one) => {
    const shapes = [];
    for (const shape of one.shadowRoot.querySelectorAll("svg.drawing *")) {
      if (shape.localName === "svg") continue;
      const style = getComputedStyle(shape);
      const places = (
        shape.getAttribute("d")?.match(/-?[\d.]+/g) ??
        ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "width", "height"].flatMap(
          (name) => shape.getAttribute(name) ?? [],
        )
      ).map(Number);
      shapes.push({
        what: `${shape.localName} ${shape.getAttribute("class")}`,
        text: shape.textContent,
        paint: `${style.fill} ${style.stroke} ${style.strokeWidth} ${style.strokeDasharray}`,
        // Of a long path, a point in twenty.
        places:
          places.length > 40 ? [places.length, ...places.filter((_, i) => i % 40 < 2)] : places,
      });
    }
    return shapes;
  });

/**
 * The same of a form: its rows, fields and answers, with what follows from no font: where they
 * begin from side to side, and how wide they are.
 */
export const rowsOf = (element) =>
  element.evaluate((one) => {
    const left = one.getBoundingClientRect().left;
    return [
      ...one.shadowRoot.querySelectorAll(".row, .row input, .row label, .row .label, .row .answer"),
    ].map((part) => {
      const style = getComputedStyle(part);
      const box = part.getBoundingClientRect();
      return {
        what: `${part.localName} ${part.className}`,
        text: part.value ?? (part.className.startsWith("row") ? "" : part.textContent.trim()),
        paint: `${style.color} ${style.backgroundColor} ${style.borderTopColor} ${style.borderTopWidth} ${style.fontWeight} ${style.textAlign}`,
        places: part.matches(".row, .value, .answer") ? [box.left - left, box.width] : [],
      };
    });
  });

const withoutPlaces = (shapes) => shapes.map(({ places, ...rest }) => rest);

/**
 * Asserts that drawings, by name, are those kept: the same shapes and paint, nothing further off
 * than a pixel and a half. Certified ends may move within their interval, a line may not.
 */
export function sameLook(name, seen) {
  const file = join(fixtures, `look-${name}.json`);
  if (process.env.CLOISTER_UPDATE) writeFileSync(file, `${JSON.stringify(seen, null, 1)}\n`);
  const kept = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual(Object.keys(seen), Object.keys(kept));
  for (const [view, shapes] of Object.entries(kept)) {
    assert.deepEqual(withoutPlaces(seen[view]), withoutPlaces(shapes), view);
    shapes.forEach(({ what, places }, i) => {
      assert.equal(seen[view][i].places.length, places.length, `${view}: ${what}`);
      places.forEach((at, j) =>
        assert.ok(
          Math.abs(seen[view][i].places[j] - at) <= 1.5,
          `${view}: ${what} at ${seen[view][i].places[j]}, was ${at}`,
        ),
      );
    });
  }
}
