// Moves the focus when the control that had it goes away, for example when a progress bar
// replaces a button. Otherwise the focus would fall back to the top of the page, and a person who
// works by keyboard or screen reader would be lost.

const standIns = [
  "[role=alert][tabindex]",
  ".progress button",
  ".button-main:not(:disabled)",
  "h2[tabindex]",
];

/** In a part of a step, the button that starts what the part is for stands in too. */
const standInsOfPart = [...standIns, "button[type=submit]:not(:disabled)"];

/** Draws, and keeps the focus in the part of the step that it was in, or else in the step. */
export function keepingFocus(draw: () => void): void {
  const held = document.activeElement;
  const step = held?.closest(".step");
  const part = held?.closest(".step details, .step section");
  draw();
  if (!step || !held || (held.isConnected && !held.matches(":disabled"))) return;
  const next = (part && firstOf(standInsOfPart, part)) ?? firstOf(standIns, step);
  next?.focus({ preventScroll: true });
}

function firstOf(selectors: readonly string[], within: Element): HTMLElement | null {
  for (const selector of selectors) {
    const found = within.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return null;
}
