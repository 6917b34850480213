/** Nothing is fetched before an element is this near the window. */
const near = "400px";

/** Watches an element until it comes near the window, and then calls once. */
export function approach(came: () => void): IntersectionObserver {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      came();
    },
    { rootMargin: near },
  );
  return observer;
}
