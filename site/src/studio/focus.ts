// Where the focus goes when what had it is gone, as a button is that gives way to a progress bar. Left alone it would fall back to the top of the page,
// and whoever works by keyboard or screen reader would be lost.

const standIns = ["[role=alert][tabindex]", ".progress button", ".button-main:not(:disabled)", "h2[tabindex]"];

/** Draws, and keeps the focus in the step that it was in. */
export function keepingFocus(draw: () => void): void {
  const held = document.activeElement;
  const step = held?.closest(".step");
  draw();
  if (!step || !held || (held.isConnected && !held.matches(":disabled"))) return;
  for (const standIn of standIns) {
    const next = step.querySelector<HTMLElement>(standIn);
    if (next) return next.focus({ preventScroll: true });
  }
}
