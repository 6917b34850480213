// What the main thread of a page does, task by task, from Chromium's own trace.

/**
 * @param {import("playwright-core").Browser} browser
 * @param {import("playwright-core").Page} page
 * @param {() => Promise<void>} action
 * @returns {Promise<Task[]>} the page's tasks while the action lasts, the longest first
 * @typedef {{ wall: number, cpu: number, what: string }} Task milliseconds by the clock, and of the
 * processor: what the task would take on a machine that has nothing else to do; and the longest
 * things done in it
 */
export async function tasksDuring(browser, page, action) {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  // Something that only this page's main thread says.
  const mark = `cloister-${crypto.randomUUID()}`;
  await action();
  await page.evaluate((mark) => console.timeStamp(mark), mark);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const said = traceEvents.find(
    ({ name, args }) => name === "TimeStamp" && args?.data?.message === mark,
  );
  if (!said) throw new Error("the trace does not say which thread is the page's");
  const own = traceEvents.filter(
    ({ pid, tid, ph }) => ph === "X" && pid === said.pid && tid === said.tid,
  );
  const tasks = own.filter(({ name }) => name.endsWith("RunTask"));
  if (!tasks.some(({ tdur }) => tdur > 0))
    throw new Error("the trace does not say how long the processor was used");
  return tasks
    .map((task) => ({
      wall: task.dur / 1000,
      cpu: (task.tdur ?? 0) / 1000,
      what: parts(task, own),
    }))
    .sort((a, b) => b.cpu - a.cpu);
}

/**
 * Counts the processor time of the page's main thread.
 * @returns {Promise<() => Promise<number>>} what was spent of it so far, in milliseconds
 */
export async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  };
}

function parts(task, events) {
  if (task.dur < 5000) return "";
  const inside = events.filter(
    (e) => !e.name.endsWith("RunTask") && e.ts >= task.ts && e.ts + e.dur <= task.ts + task.dur,
  );
  return inside
    .sort((a, b) => b.dur - a.dur)
    .slice(0, 4)
    .map(({ name, dur }) => `${name} ${Math.round(dur / 1000)}`)
    .join(", ");
}
