// The keys of the page as a whole: those that go on, and those that take an edit back.

import { stepNames } from "./state/screen.ts";
import { totalToFix } from "./state/steps.ts";
import { goOn } from "./next.ts";
import type { Studio } from "./studio.ts";

/** Acts on a key that nothing on the page has used. */
export function keys(studio: Studio, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const act = actionOf(studio, event);
  if (!act) return;
  event.preventDefault();
  act();
}

function actionOf(studio: Studio, event: KeyboardEvent): (() => void) | null {
  const step = stepNames.find((name) => name === studio.state.screen);
  const command = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && step && !event.shiftKey && (command || isSafe(studio, event.target)))
    return () => void goOn(studio, step);
  if (!command || step !== "public" || inForm(event.target)) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return () => (event.shiftKey ? studio.editor.redo() : studio.editor.undo());
  return key === "y" ? () => studio.editor.redo() : null;
}

/**
 * Enter alone goes on from the fields of the budget, where it does nothing else; not where going on
 * would fix a total.
 */
function isSafe({ state }: Studio, target: EventTarget | null): boolean {
  return (
    state.screen === "budget" &&
    totalToFix(state) === null &&
    target instanceof HTMLInputElement &&
    target.type === "text" &&
    target.form === null
  );
}

/** A price that is typed there is not part of the description. */
function inForm(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.form !== null;
}
