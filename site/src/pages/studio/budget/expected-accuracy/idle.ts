/** Until the browser has nothing better to do, or half a second. */
export function idle(): Promise<void> {
  if (!("requestIdleCallback" in globalThis)) return pause(0);
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }));
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
