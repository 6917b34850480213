import type { TemplateResult } from "lit";

import type { FitMethod, Loss } from "../client/types.ts";
import type { LabelKind } from "../studio/draft/draft.ts";
import type { Method } from "../studio/state.ts";
import type { radios } from "../studio/view/field.ts";
import type { Compared } from "./compared.ts";
import { comparison } from "./comparison.ts";
import type { Tools } from "./panel.ts";
import { checkRecords } from "./state.ts";

export interface MethodsOptions {
  readonly method: Method;
  /** The way that will be taken: where the chosen one cannot be, the usual one. */
  readonly way: FitMethod;
  readonly label: { readonly kind: LabelKind; readonly name: string };
  readonly replaceOne: boolean;
  /** About how many rows there are, as it is typed. */
  readonly records: string;
  /** What is wrong with the Huber loss's width. */
  readonly error: string | undefined;
  readonly change: (change: Partial<Method>) => void;
  readonly epsilon: number | undefined;
  /** What each way is expected to give. */
  readonly compared: Compared | null;
  /** It is looked at, or not any more. */
  readonly compare: (open: boolean) => void;
}

const lossNotes: Record<Loss, readonly [title: string, note: string]> = {
  logistic: ["Logistic loss (logistic regression)", "The usual choice: it gives probabilities, and has the sharpest proof here."],
  huber: ["Huber loss (a soft-margin classifier)", "Ends its interest in rows that are clearly right, so hard cases weigh more. It gives no probabilities."],
  squared: ["Squared loss (least squares)", "Least squares to the outcomes as −1 and +1: its probabilities lie on a straight line."],
};

const wayNotes: Record<FitMethod, readonly [title: string, note: string]> = {
  amp: ["Noise in the problem", "The usual choice: objective perturbation, set by this project. Nothing has to be known about the number of rows."],
  "amp-paper": ["The same, as published in 2023", "The settings and the proof of Redberg, Koskela & Wang. The same promise takes more noise."],
  outpert: ["Noise on the solution", "Output perturbation: solves first, and adds noise to what comes out. It needs many rows or a large ε to do well, and to be told about how many rows there are."],
  dpgd: ["Noise in every step", "100 steps of gradient descent, each with noise. Of two classes often close to the usual choice. It has to be told about how many rows there are."],
  dpsgd: ["Noise in every step, on samples", "DP-SGD: 1,000 steps, each on rows drawn at random, each with noise. What a step did not draw it cannot tell of, so a step costs less. It has to be told about how many rows there are."],
};

export const names = Object.fromEntries(Object.entries(wayNotes).map(([way, [title]]) => [way, title])) as Record<FitMethod, string>;

/** Why a way cannot be taken; empty if it can. */
export function obstacle(way: FitMethod, classes: boolean, replaceOne: boolean): string {
  if (way !== "amp" && classes) return "Not for several classes: only the usual choice divides its budget among them.";
  if (!replaceOne || (way !== "amp-paper" && way !== "dpsgd")) return "";
  return `Not for one record replaced by another, which step 3 names: ${way === "dpsgd" ? "its proof is" : "the published settings are"} for one added or removed.`;
}

/** How the model is fitted: what is preselected is right for nearly all. */
export function methods(tools: Tools, choose: typeof radios, options: MethodsOptions): TemplateResult {
  const { html, textField, count } = tools;
  const { method, way, label, change } = options;
  const numeric = label.kind === "numeric";
  const { records } = checkRecords(options.records);
  const choices = <T extends string>(notes: Record<T, readonly [string, string]>, not: (value: T) => string) =>
    (Object.keys(notes) as T[]).map((value) => ({
      value,
      disabled: not(value) !== "",
      label: html`${notes[value][0]}<span class="hint">${notes[value][1]}${not(value) ? html` <strong>${not(value)}</strong>` : ""}</span>`,
    }));
  return html`${numeric ? html`<p class="small soft">Fitted by least squares, within the bounds of ${label.name || "the label"}.</p>` : ""}
    <details class="disclosure" @toggle=${(e: Event) => options.compare((e.target as HTMLDetailsElement).open)}>
      <summary>Compare methods</summary>
      <div>
        ${
          label.kind === "classes"
            ? html`<p id="one-way">
                For several classes there is one way, ${names.amp.toLowerCase()}: a model of each class against all others, whose costs are composed so that together
                they keep ε and δ. The other ways fit one model only, and are not offered here.
              </p>`
            : html`${comparison(tools, { ...options, numeric, records, names })}
              ${choose({
                name: "way",
                legend: "Where the noise goes",
                value: way,
                choices: choices(wayNotes, (value) => obstacle(value, false, options.replaceOne)),
                choose: (value) => change({ way: value as FitMethod }),
              })}`
        }
        ${
          way !== "amp" && way !== "amp-paper"
            ? html`<p class="small" id="way-records">
                ${records === null ? "About how many rows there are has to be said" : html`It is told that there are about <strong>${count(records)} rows</strong>, as you say`} in step 3. That
                must be public knowledge or a guess, never counted for this. A wrong number costs accuracy, not privacy. <a href="#records">Change it</a>
              </p>`
            : ""
        }
        ${
          numeric
            ? ""
            : choose({ name: "loss", legend: "What the model minimises", value: method.loss, choices: choices(lossNotes, () => ""), choose: (loss) => change({ loss: loss as Loss }) })
        }
        ${
          !numeric && method.loss === "huber"
            ? textField({
                key: "huberWidth",
                label: "Half-width of the bend",
                hint: "0.5 is usual. The guarantee is the same for any.",
                value: method.huberWidth,
                short: true,
                numeric: true,
                error: options.error,
                input: (huberWidth) => change({ huberWidth }),
              })
            : ""
        }
        <p class="small soft">The promise, ε and δ, is the same for all. Fit with several, and they stand side by side in step 5. Each fit is paid for.</p>
      </div>
    </details>`;
}

/** What happens in a fit that goes this way. */
export const happens: Record<FitMethod, string> = {
  amp: "The page reads the rows, adds random noise to the problem itself, solves it, and adds a little more noise to the solution.",
  "amp-paper": "The page reads the rows, adds random noise to the problem itself, solves it, and adds a little more noise to the solution.",
  outpert: "The page reads the rows, solves the problem as it is, and adds random noise to the solution before anything leaves it.",
  dpgd: "The page reads the rows and improves the model in 100 steps. Each sees the rows through random noise alone.",
  dpsgd: "The page improves the model in 1,000 steps. Each sees a random sample of the rows, through random noise alone. Of very many rows that takes minutes.",
};
