import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { epsilonAxis, epsilonGrid, logDeltaAxis } from "../../src/chart/axes.ts";
import { signedBars } from "../../src/chart/bars.ts";
import {
  chooseFloor,
  curveFigure,
  epsilonAt,
  nearestIndex,
  type Series,
} from "../../src/chart/curve.ts";

const size = { width: 640, height: 340 };

function series(
  logDelta: (epsilon: number) => number,
  epsilon: number[] = epsilonGrid(4, 1, 80),
): Series {
  return { id: "s", label: "S", epsilon, logDelta: epsilon.map(logDelta) };
}

/** The points of a path of straight lines. */
function points(path: string): [number, number][] {
  return [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map((m) => [Number(m[1]), Number(m[2])]);
}

describe("the grid of ε", () => {
  test("holds the promised ε exactly, once, in order", () => {
    for (const promised of [0.1, 1, 1 / 3, 2.718281828]) {
      const grid = epsilonGrid(4, promised, 160);
      assert.equal(grid.filter((x) => x === promised).length, 1, `${promised}`);
      assert.deepEqual(
        grid,
        [...grid].sort((a, b) => a - b),
      );
      assert.equal(new Set(grid).size, grid.length);
    }
  });

  test("begins at 0 and does not pass its end", () => {
    const grid = epsilonGrid(3.5, 1, 160);
    assert.equal(grid[0], 0);
    assert.ok(grid.at(-1)! <= 3.5 * (1 + 1e-12));
    assert.ok(grid.length > 100 && grid.length < 400);
  });
});

describe("axes", () => {
  test("δ has ticks at whole powers of ten within its domain, and 1 for the zeroth", () => {
    const axis = logDeltaAxis([-12, 0], [300, 10]);
    assert.equal(axis.ticks[0]!.label, "1");
    for (const tick of axis.ticks) {
      assert.ok(Number.isInteger(tick.value) && tick.value >= -12 && tick.value <= 0);
      assert.equal(tick.at, axis.scale(tick.value));
    }
    assert.ok(axis.ticks.length >= 5 && axis.ticks.length <= 10);
  });

  test("δ far below the smallest float still has an axis", () => {
    const axis = logDeltaAxis([-400, 0], [300, 10]);
    assert.ok(axis.ticks.some((t) => t.label === "10⁻³⁰⁰"));
  });

  test("ε has round ticks", () => {
    assert.deepEqual(
      epsilonAxis([0, 4], [52, 624]).ticks.map((t) => t.label),
      ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0"],
    );
  });
});

describe("the figure", () => {
  test("puts every point where the axes say", () => {
    const s = series((e) => -1 - 4 * e);
    const figure = curveFigure([s], { size, floor: -9 });
    const drawn = points(figure.lines[0]!.path);
    assert.equal(drawn.length, s.epsilon.length);
    drawn.forEach(([x, y], i) => {
      assert.ok(Math.abs(x - figure.x.scale(s.epsilon[i]!)) < 0.011);
      assert.ok(Math.abs(y - figure.y.scale(s.logDelta[i]! / Math.LN10)) < 0.011);
    });
  });

  test("cuts a line at the frame where it crosses it", () => {
    const figure = curveFigure([series((e) => -20 * e)], { size, floor: -10 });
    const drawn = points(figure.lines[0]!.path);
    const [x, y] = drawn.at(-1)!;
    assert.ok(Math.abs(y - figure.frame.bottom) < 0.02);
    assert.ok(
      Math.abs(x - figure.x.scale((10 * Math.LN10) / 20)) < 0.05,
      "crosses at ε = ln(10¹⁰)/20",
    );
    assert.ok(drawn.every(([, py]) => py <= figure.frame.bottom + 0.02));
  });

  test("leaves a gap where a bound says nothing, and draws what lies on both sides", () => {
    const s = series((e) => (e > 1 && e < 2 ? Number.POSITIVE_INFINITY : -1 - e));
    const { path } = curveFigure([s], { size, floor: -6 }).lines[0]!;
    assert.equal(path.split("M").length - 1, 2);
  });

  test("marks the promise where it is inside the frame, and nowhere else", () => {
    const s = [series((e) => -1 - 5 * e)];
    const figure = curveFigure(s, { size, promise: { epsilon: 1, logDelta: Math.log(1e-5) } });
    assert.ok(Math.abs(figure.promise!.x - figure.x.scale(1)) < 1e-9);
    assert.ok(Math.abs(figure.promise!.y - figure.y.scale(-5)) < 1e-9);
    assert.equal(
      curveFigure(s, { size, promise: { epsilon: 9, logDelta: Math.log(1e-5) } }).promise,
      null,
    );
  });

  test("its floor lies at least three powers of ten below the promise, whatever the curves do", () => {
    assert.equal(chooseFloor([series(() => -1)], Math.log(1e-5)), -8);
    assert.equal(chooseFloor([series((e) => -1000 * e)], Math.log(1e-5)), -9);
    assert.ok(chooseFloor([series((e) => -1000 * e)], Math.log(1e-12)) <= -15);
  });

  test("a read-out stands on an evaluated point", () => {
    const s = series((e) => -e);
    const figure = curveFigure([s], { size });
    s.epsilon.forEach((e, i) =>
      assert.equal(nearestIndex(figure, s.epsilon, figure.x.scale(e)), i),
    );
    assert.equal(nearestIndex(figure, s.epsilon, -100), 0);
    assert.equal(nearestIndex(figure, s.epsilon, 9999), s.epsilon.length - 1);
  });

  test("ε read off a curve errs on the safe side, by a step at most", () => {
    const s = series((e) => -3 * e);
    const read = epsilonAt(s, -4)!;
    assert.ok(read >= 4 / 3 && read - 4 / 3 <= 0.05 + 1e-12);
    assert.equal(epsilonAt(s, -1000), null);
  });
});

describe("bars", () => {
  test("grow from one zero in proportion, to the side of their sign", () => {
    const { zero, bars } = signedBars([3, -1, 0.5], 160);
    assert.equal(zero, 40);
    assert.deepEqual(
      bars.map((b) => [b.x, b.width, b.negative]),
      [
        [40, 120, false],
        [0, 40, true],
        [40, 20, false],
      ],
    );
  });

  test("of one sign use the whole width; of none, none; tiny ones are seen", () => {
    assert.deepEqual(signedBars([2, 1], 100), {
      zero: 0,
      bars: [
        { x: 0, width: 100, negative: false },
        { x: 0, width: 50, negative: false },
      ],
    });
    assert.deepEqual(signedBars([0], 100).bars, [{ x: 0, width: 0, negative: false }]);
    assert.equal(signedBars([1, 1e-9], 100).bars[1]!.width, 0.5);
    assert.deepEqual(signedBars([], 100).bars, []);
  });
});
