// Draws the pictures inside the elements for readers without scripts, with the elements' own
// code. It runs in Node; scripts/prerender.mjs puts the pictures into pages.

import { readFile } from "node:fs/promises";
import workerScript from "cloister:worker";

import { readableBound } from "../chart/numbers.ts";
import { type Plot, plot, plotText } from "../chart/plot.ts";
import type { Shape } from "../chart/shape.ts";
import { Engine } from "../client/engine.ts";
import type { Adjacency } from "../client/types.ts";
import { threadWorker } from "../client/thread-worker.ts";
import type { Accountant } from "../curves/accountant.ts";
import { groundOf } from "../curves/attack.ts";
import { attackPlots, attackSentence, falseAlarms, within } from "./attack-plots.ts";
import type { Get } from "./attributes.ts";
import { budgetSentence, gauge } from "./budget-gauge.ts";
import { budgetSpec, spending } from "./budget-spec.ts";
import { CurveModel } from "./curve-model.ts";
import { described, type View } from "../curves/curve.ts";
import { curveSpec, type CurveSpec } from "./curve-spec.ts";
import { between, draw, sentenceAlone } from "../curves/views.ts";
import { CardModel } from "./card-demo-model.ts";
import { cardSpec } from "./card-demo-spec.ts";
import { cardView } from "./card-demo-view.ts";
import type { DrawsView, Layout } from "./draws-element.ts";
import type { Told } from "./draws-model.ts";
import { FitModel } from "./fit-demo-model.ts";
import { fitSpec } from "./fit-demo-spec.ts";
import { fitView } from "./fit-demo-view.ts";
import { found, questionOf } from "./noise-questions.ts";
import { noiseRows, noiseSentence } from "./noise-words.ts";
import type { Ask } from "../curves/engine.ts";
import { askedOf, groundOf as worstGround, multiplesAt, pointAt, shares } from "./worst-model.ts";
import { noisePlot, slopePlot, worstSentence } from "./worst-plots.ts";

/** What pictures are made with. */
export interface Sources {
  readonly accountant: Accountant;
  /** Asks the learners of made-up points. */
  readonly fit: Ask;
  /** Ends what runs. */
  end(): void;
}

/**
 * The sources, from a folder with curves.wasm and fit-demo.wasm. Each is read when it is asked
 * first.
 */
export function sourcesIn(folder: string): Sources {
  const engines: Promise<Engine>[] = [];
  const asking = (file: string): Ask => {
    let engine: Promise<Engine> | undefined;
    return async (method, params) => {
      if (!engine) {
        engine = readFile(`${folder}${file}`).then(
          async (bytes) =>
            new Engine(
              await WebAssembly.compile(new Uint8Array(bytes)),
              workerScript,
              threadWorker,
            ),
        );
        engines.push(engine);
      }
      return (await engine).ask(method, params);
    };
  };
  const ask = asking("curves.wasm");
  return {
    accountant: {
      account: (description) => ask("account", description),
      estimate: (description) => ask("estimate", description),
      solve: (description) => ask("solve", description),
      afford: (description) => ask("afford", description),
      worst: (description) => ask("worst", description),
    },
    fit: asking("fit-demo.wasm"),
    end: () => engines.forEach((engine) => void engine.then((one) => one.terminate())),
  };
}

/**
 * Draws the <svg> of an element with these attributes and this JSON inside. Rejects as the element
 * would fail.
 */
export type Picture = (get: Get, json: unknown, sources: Sources) => Promise<string>;

const width = 640;

function settled(spec: CurveSpec, view: View, { accountant }: Sources): Promise<CurveModel> {
  return new Promise((done, failed) => {
    const model: CurveModel = new CurveModel(spec, Promise.resolve(accountant), {
      drawn: () => model.settled && done(model),
      failed,
    });
    model.need(view, false);
  });
}

const curve: Picture = async (get, json, sources) => {
  const spec = curveSpec(get, json);
  const { lines, scope } = await settled(spec, spec.view, sources);
  return plotText(
    plot({ size: { width, height: width / 2 }, ...draw(spec.view, lines, scope!) }),
    sentenceAlone(spec.view, lines, scope!),
  );
};

const attack: Picture = async (get, json, sources) => {
  const read = curveSpec(
    (name) => (name === "view" || name === "views" || name === "compare" ? null : get(name)),
    json,
  );
  const spec = { ...read, curves: read.curves.slice(0, 1) };
  const { event } = spec.curves[0]!;
  const ground = groundOf(event);
  const { priced, label, replaced } = (await settled(spec, "tradeoff", sources)).lines[0]!;
  const size = { width: width / 2 - 12, height: 270 };
  const { outputs, roc } = attackPlots(
    priced!,
    ground,
    within(ground.upperQuantile(falseAlarms(get))),
    size,
    replaced,
  );
  return plotText(
    {
      size: { width, height: size.height },
      shapes: [moved(outputs, 0), moved(roc, width - size.width)],
    },
    attackSentence(label || described(event), priced!, replaced),
  );
};

/** Between which data sets a picture's numbers hold, as a line of it. */
const betweenAt = (adjacency: Adjacency, y: number): Shape => ({
  tag: "text",
  is: { class: "tick", x: 0, y },
  text: between(adjacency),
});

/** A plot as one shape, this far to the right. */
const moved = ({ size, shapes }: Plot, x: number): Shape => ({
  tag: "svg",
  is: { x, y: 0, ...size, viewBox: `0 0 ${size.width} ${size.height}` },
  children: shapes,
});

const noise: Picture = async (get, _json, { accountant }) => {
  const question = questionOf(get);
  const { epsilon, delta } = question.values;
  const answer = await found(accountant, question, question.values, question.find, {});
  const { shapes, size } = noiseRows(question, answer, width);
  return plotText(
    {
      size: { width, height: size.height + 28 },
      shapes: [...shapes, betweenAt(question.adjacency, size.height + 16)],
    },
    noiseSentence(question, question.find, epsilon!, delta!, answer),
  );
};

const budget: Picture = async (get, json, { accountant }) => {
  const spec = budgetSpec(get, json);
  const spent = await spending(
    accountant,
    spec,
    spec.items.map(({ count }) => count),
    {},
  );
  const says = budgetSentence(spec, spent);
  const words: Shape[] = [
    { tag: "text", is: { class: "tick", x: 0, y: 46 }, text: "ε = 0" },
    {
      tag: "text",
      is: { class: "tick", x: width, y: 46, "text-anchor": "end" },
      text: readableBound(spec.budget.epsilon),
    },
    { tag: "text", is: { class: "note", x: 0, y: 72 }, text: says.split(". ")[0]! },
    betweenAt(spec.budget.adjacency, 96),
  ];
  return plotText(
    {
      size: { width, height: 104 },
      shapes: [...gauge(spec, spent, { width, height: 28 }), ...words],
    },
    says,
  );
};

/** The picture of a model's draws, once all are there. */
async function drawsOf<P, L extends Layout>(
  view: DrawsView<P, L>,
  size: number,
  start: (told: Told) => {
    readonly settled: boolean;
    readonly picture: P | undefined;
    need(dragging: boolean): void;
  },
): Promise<string> {
  const picture = await new Promise<P>((done, failed) => {
    const model = start({ drawn: () => model.settled && done(model.picture!), failed });
    model.need(false);
  });
  const laidOut = view.layout(picture, { width: size, height: view.height(size) }, -1);
  return plotText(laidOut, view.sentence(picture));
}

const fits: Picture = (get, _json, { fit }) =>
  drawsOf(fitView, width, (told) => new FitModel(fitSpec(get), Promise.resolve(fit), told));

const cards: Picture = (get, _json, { fit }) =>
  drawsOf(cardView, 560, (told) => new CardModel(cardSpec(get), Promise.resolve(fit), told));

const worst: Picture = async (get, _json, { accountant }) => {
  const { epsilon, share } = askedOf(get);
  const ground = await worstGround(accountant, epsilon);
  const point = await pointAt(accountant, ground, share);
  const lines = [];
  for (const each of shares) lines.push(await multiplesAt(accountant, ground, each));
  const size = { width: width / 2 - 12, height: 270 };
  const at = await multiplesAt(accountant, ground, share);
  const shapes = [
    moved(slopePlot(point, size), 0),
    moved(noisePlot(lines, [], share, at, size), width - size.width),
  ];
  return plotText(
    { size: { width, height: size.height }, shapes },
    worstSentence(ground.epsilon, point),
  );
};

export const pictures: Readonly<Record<string, Picture>> = {
  "privacy-curve": curve,
  "attack-view": attack,
  "noise-chooser": noise,
  "privacy-budget": budget,
  "private-fit-demo": fits,
  "private-scorecard-demo": cards,
  "worst-data": worst,
};
