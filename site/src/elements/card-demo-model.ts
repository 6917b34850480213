// What a <private-scorecard-demo> shows: the best card without privacy, and a private card for
// each draw of the noise.

import type { Ask } from "../curves/engine.ts";
import type { CardQuestion } from "./card-demo-spec.ts";
import { DrawsModel, type Haste } from "./draws-model.ts";

export interface CardAttribute {
  readonly name: string;
  readonly levels: readonly string[];
}

/** A scorecard for the made-up patients. */
export interface DrawnCard {
  /** From −1 to 1, attribute by attribute and level by level. */
  readonly points: readonly number[];
  /** The share of new patients for whom it is right. */
  readonly right: number;
}

/** A whole picture: everything in it is of one question. */
export interface CardPicture {
  readonly question: CardQuestion;
  readonly attributes: readonly CardAttribute[];
  /** How many of the patients came back. */
  readonly back: number;
  readonly plain: DrawnCard;
  /** As many as there are by now, at most `question.draws`. */
  readonly cards: readonly DrawnCard[];
}

type Ground = Pick<CardPicture, "attributes" | "back" | "plain">;

const cardOf = (wire: ArrayLike<number>): DrawnCard => {
  const numbers = Array.from(wire);
  return { points: numbers.slice(0, -1), right: numbers.at(-1)! };
};

export class CardModel extends DrawsModel<CardQuestion, Ground, DrawnCard, CardPicture> {
  protected groundKey({ n, seed }: CardQuestion): string {
    return JSON.stringify({ n, seed });
  }

  protected async ground(ask: Ask, { n, seed }: CardQuestion, haste: Haste): Promise<Ground> {
    const { attributes, back, plain } = await ask("patients", { n, seed }, haste);
    return { attributes, back, plain: cardOf(plain) };
  }

  protected async draws(
    ask: Ask,
    { n, seed, adjacency, epsilon }: CardQuestion,
    first: number,
    draws: number,
    haste: Haste,
  ): Promise<DrawnCard[]> {
    const { cards } = await ask("cards", { n, seed, adjacency, epsilon, first, draws }, haste);
    return cards.map(cardOf);
  }

  protected pictureOf(
    question: CardQuestion,
    ground: Ground,
    cards: readonly DrawnCard[],
  ): CardPicture {
    return { question, ...ground, cards };
  }
}
