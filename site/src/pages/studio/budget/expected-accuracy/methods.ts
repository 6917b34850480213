import { html, type TemplateResult } from "lit/html.js";

import { count } from "../../../../chart/numbers.ts";
import type { FitMethod, Loss } from "../../../../client/types.ts";
import type { LabelKind } from "../../draft/draft.ts";
import { isLossFor, isShifted, lossOf, type Method, type Way } from "../../state/choices.ts";
import { radios, textField } from "../../../shell/field.ts";
import type { Compared } from "../../state/compared.ts";
import { comparison } from "./comparison.ts";
import { methodWords } from "../../../../client/wire/method-words.ts";
import { defaultFitMethod, fitMethods } from "../../../../client/wire/methods.ts";
import { ableAs } from "../../state/state.ts";
import { wayWords } from "../../state/way-words.ts";
import { isFor, obstacle, type Task } from "./obstacle.ts";
import type { FieldError } from "../../draft/check.ts";
import { checkRecords } from "../../state/expected-accuracy.ts";

export interface MethodsOptions {
  readonly method: Method;
  /** The way that will be taken, and the usual one, which it may be. */
  readonly way: Way;
  readonly usual: FitMethod;
  readonly chosen: Way | "usual";
  readonly label: { readonly kind: LabelKind; readonly name: string; readonly positive: string };
  readonly replaceOne: boolean;
  /** About how many rows there are, as it is typed. */
  readonly records: string;
  /** What is wrong with the losses' own numbers. */
  readonly errors: readonly FieldError[];
  readonly change: (change: Partial<Method>) => void;
  readonly epsilon: number | undefined;
  /** What each way is expected to give. */
  readonly compared: Compared | null;
  /** It is looked at, or not any more. */
  readonly compare: (open: boolean) => void;
}

const lossNotes: Record<Loss, readonly [title: string, note: string]> = {
  softmax: [
    "Softmax loss (multinomial logistic regression)",
    "The usual choice for several classes: all are fitted at once, with one noise.",
  ],
  logistic: [
    "Logistic loss (logistic regression)",
    "The usual choice: it gives probabilities, and has the sharpest proof here.",
  ],
  huber: [
    "Huber loss (a soft-margin classifier)",
    "Ignores rows that are clearly right, so hard cases weigh more. It gives no probabilities.",
  ],
  squared: [
    "Squared loss (least squares)",
    "Least squares to the outcomes as −1 and +1: its probabilities lie on a straight line.",
  ],
  "shifted-logistic": [
    "Shifted logistic loss",
    "Every row pulls harder, with the same noise: better for a few hundred rows, a little worse for many.",
  ],
  "rounded-hinge": [
    "Rounded hinge (a soft-margin classifier)",
    "Rows pull harder, and less is lost by the regulariser. It gives no probabilities.",
  ],
  "weighted-logistic": [
    "Weighted logistic loss",
    "For a rare class that the model is to find: its rows weigh more, with the same noise. More answers are wrong in all; probabilities stay those of rows as they come.",
  ],
};

/** The methods, as this page calls them. */
const ways = Object.fromEntries(
  Object.entries(wayWords).map(([way, { title, about }]) => [way, [title, about]]),
) as Record<Way, [string, string]>;

/** What is preselected. */
const usualChoice = (usual: FitMethod, records: number | null) => ({
  value: "usual" as const,
  disabled: false,
  label: html`The usual choice<span class="hint"
      >It follows from ε and about how many rows there are, both public.
      ${
        records === null
          ? html`Now it is “${methodWords[usual].title}”, which needs no number; with the number in
            step 3 it may be a better one.`
          : html`Here it is “${methodWords[usual].title}”.`
      }</span
    >`,
});

/** How the model is fitted: what is preselected is right for nearly all. */
export function methods(options: MethodsOptions): TemplateResult {
  const { method, way, usual, chosen, label, change } = options;
  const numeric = label.kind === "numeric";
  const loss = lossOf(method, label.kind);
  const { records } = checkRecords(options.records);
  const error = (field: string) => options.errors.find((e) => e.field === field)?.message;
  const positive = label.positive.split(/[,\n]/)[0]?.trim() || "the positive class";
  const task: Task = {
    kind: label.kind,
    loss,
    adjacency: options.replaceOne ? "replace-one" : "add-remove",
  };
  const choices = <T extends string>(
    notes: Record<T, readonly [string, string]>,
    not: (value: T) => string,
  ) =>
    (Object.keys(notes) as T[]).map((value) => ({
      value,
      disabled: not(value) !== "",
      label: html`${notes[value][0]}<span class="hint"
          >${notes[value][1]}${not(value) ? html` <strong>${not(value)}</strong>` : ""}</span
        >`,
    }));
  return html`${numeric ? html`<p class="small soft">Fitted by least squares, within the bounds of ${label.name || "the label"}.</p>` : ""}
    <details
      class="disclosure"
      @toggle=${(e: Event) => options.compare((e.target as HTMLDetailsElement).open)}
    >
      <summary>Compare methods</summary>
      <div>
        ${comparison({ ...options, numeric, records })}
        ${radios({
          name: "way",
          legend: "Where the noise goes",
          value: chosen,
          choices: [
            usualChoice(usual, records),
            ...choices(ways, (value) => obstacle(value, task)).filter(({ value }) =>
              isFor(ableAs(value), label.kind),
            ),
          ],
          choose: (value) => change({ way: value as Method["way"] }),
        })}
        ${
          label.kind === "classes"
            ? html`<p id="two-ways" class="small">
                With the softmax loss all classes are fitted at once. With another loss each is
                fitted against all others, and the costs are composed so that together they keep ε
                and δ: that is for ${methodWords[defaultFitMethod].place} alone.
              </p>`
            : ""
        }
        ${
          way !== "chooseLambda" && fitMethods[ableAs(way)].records
            ? html`<p class="small" id="way-records">
                ${records === null ? "This method needs about how many rows there are: say it" : html`This method is told of about <strong>${count(records)} rows</strong>, as you say`}
                in step 3. Take public knowledge or a guess; do not count the rows for it. A wrong
                number costs accuracy, not privacy.
                <a href="#records">Change it</a>
              </p>`
            : ""
        }
        ${
          numeric
            ? ""
            : radios({
                name: "loss",
                legend: "What the model minimises",
                value: loss,
                choices: choices(lossNotes, () => "").filter(({ value }) =>
                  isLossFor(value, label.kind),
                ),
                choose: (loss) => change({ loss: loss as Loss }),
              })
        }
        ${
          !numeric && loss === "huber"
            ? textField({
                key: "huberWidth",
                label: "Half-width of the bend",
                hint: "0.5 is usual. The guarantee is the same for any.",
                value: method.huberWidth,
                short: true,
                numeric: true,
                error: error("huberWidth"),
                input: (huberWidth) => change({ huberWidth }),
              })
            : ""
        }
        ${
          !numeric && isShifted(loss)
            ? textField({
                key: "shift",
                label: "Where the loss bends",
                hint: "A margin above 0, 16 or less; 2 is usual. The guarantee is the same for any.",
                value: method.shift,
                short: true,
                numeric: true,
                error: error("shift"),
                input: (shift) => change({ shift }),
              })
            : ""
        }
        ${
          loss === "weighted-logistic"
            ? textField({
                key: "positiveWeight",
                label: `What “${positive}” weighs`,
                hint: `A row of “${positive}” counts as so many of the others. About the number of others to one of them finds both about as often. It must be publicly known: the page does not count your file for it.`,
                value: method.positiveWeight,
                short: true,
                numeric: true,
                error: error("positiveWeight"),
                input: (positiveWeight) => change({ positiveWeight }),
              })
            : ""
        }
        <p class="small soft">
          The promise, ε and δ, is the same for all. Fit with several, and they stand side by side
          in step 5. Each fit is paid for.
        </p>
      </div>
    </details>`;
}
