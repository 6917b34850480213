// What a <private-fit-demo> shows: points, the line without privacy, and a private line for each
// draw of the noise.

import type { Ask } from "../curves/engine.ts";
import { DrawsModel, type Haste } from "./draws-model.ts";
import type { FitQuestion } from "./fit-demo-spec.ts";

/**
 * a·x + b·y + c = 0, the second class where it is below 0; and the share of new points on their
 * class's side.
 */
export interface FittedLine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly right: number;
}

/** A whole picture: everything in it is of one question. */
export interface Fitted {
  readonly question: FitQuestion;
  /** x and y by turns, in the unit disk; those at even places are of the first class. */
  readonly points: ArrayLike<number>;
  readonly plain: FittedLine;
  /** As many as there are by now, at most `question.draws`. */
  readonly lines: readonly FittedLine[];
}

type Wire = ArrayLike<number>;
const lineOf = (wire: Wire): FittedLine => ({
  a: wire[0]!,
  b: wire[1]!,
  c: wire[2]!,
  right: wire[3]!,
});

const pointsOf = ({ n, separation, seed }: FitQuestion) => ({ n, separation, seed });

interface Ground {
  readonly at: Wire;
  readonly plain: FittedLine;
}

export class FitModel extends DrawsModel<FitQuestion, Ground, FittedLine, Fitted> {
  protected groundKey(question: FitQuestion): string {
    return JSON.stringify(pointsOf(question));
  }

  protected async ground(ask: Ask, question: FitQuestion, haste: Haste): Promise<Ground> {
    const { at, plain } = await ask("points", pointsOf(question), haste);
    return { at, plain: lineOf(plain) };
  }

  protected async draws(
    ask: Ask,
    question: FitQuestion,
    first: number,
    draws: number,
    haste: Haste,
  ): Promise<FittedLine[]> {
    const { method, adjacency, epsilon, delta } = question;
    const asked = { method, adjacency, epsilon, delta, first, draws };
    return (await ask("fits", { ...pointsOf(question), ...asked }, haste)).lines.map(lineOf);
  }

  protected pictureOf(
    question: FitQuestion,
    { at, plain }: Ground,
    lines: readonly FittedLine[],
  ): Fitted {
    return { question, points: at, plain, lines };
  }
}
