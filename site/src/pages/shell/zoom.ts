// Keeps the place of a person who zooms. That changes the width of the window, and with it how much
// stands above the field that somebody was in.

/** From now on, what has the focus and is in sight stays there when the window’s width changes. */
export function keepPlace(): void {
  let inSight = false;
  const watch = new IntersectionObserver((entries) => {
    inSight = entries.at(-1)?.isIntersecting ?? false;
  });
  document.addEventListener("focusin", ({ target }) => {
    watch.disconnect();
    inSight = false;
    watch.observe(target as Element);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    // A keyboard on the screen changes the height alone, and the browser sees to that.
    if (innerWidth === width) return;
    width = innerWidth;
    const held = document.activeElement;
    if (inSight) requestAnimationFrame(() => held?.scrollIntoView({ block: "nearest" }));
  });
}
