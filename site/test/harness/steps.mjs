// One step of the studio is on the screen at a time. Here a test's page learns to go there: before
// it does something to an element, or reads what is drawn of it, the step that the element is in is
// brought on the screen, by the rail, as a person does.

/** What is done to an element that has to be on the screen. */
const acts = [
  ...["check", "click", "dblclick", "fill", "focus", "hover", "press", "pressSequentially"],
  ...["innerText", "screenshot", "scrollIntoViewIfNeeded", "selectOption"],
  ...["setChecked", "tap", "uncheck", "boundingBox"],
];
/** The same of a page, which takes a selector first. */
const pageActs = [
  ...["check", "click", "dblclick", "fill", "focus", "hover", "innerText", "press"],
  ...["selectOption", "setChecked", "tap", "uncheck"],
];
/** What makes a locator from a locator or a page. */
const makers = [
  ...["locator", "getByRole", "getByText", "getByLabel", "getByTitle", "filter"],
  ...["first", "last", "nth", "and", "or"],
];

/** Brings a step on the screen by the rail; it may be there already. */
export async function goTo(page, step) {
  const link = `.rail a[href="#${step}"]`;
  // The page's own link, without the coordinates: a bar may stand over it.
  await page.evaluate((link) => document.querySelector(link)?.click(), link);
  await page.waitForFunction(
    (step) => document.querySelector(`.screen[data-screen="${step}"]:not([hidden])`) !== null,
    step,
    { timeout: 10_000 },
  );
}

/**
 * The step, not on the screen, that the first element is in which a locator finds; null where one
 * of them needs no step, and undefined where there is none of them.
 */
function hiddenStep(elements) {
  if (elements.length === 0) return undefined;
  for (const element of elements) {
    const screen = element.closest(".screen");
    if (screen && !screen.hidden) return null;
    if (!screen && element.getClientRects().length > 0) return null;
  }
  for (const element of elements) {
    const screen = element.closest(".screen[hidden]");
    if (screen) return screen.dataset.screen;
  }
  return null;
}

/** Waits until there is such an element, and brings its step on the screen. */
async function bring(page, anywhere, timeout = 30_000) {
  let step;
  do {
    await anywhere.first().waitFor({ state: "attached", timeout });
    // It may be drawn anew between the two, and is then waited for again.
    step = await anywhere.evaluateAll(hiddenStep);
  } while (step === undefined);
  if (step) await goTo(page, step);
}

/** How many of the elements are away only because the step that they are in is. */
function countAway(elements) {
  const away = (element) => {
    const screen = element.closest(".screen[hidden]");
    if (!screen) return false;
    for (let at = element; at !== screen; at = at.parentElement) {
      if (getComputedStyle(at).display === "none") return false;
      const box = at.parentElement.closest("details:not([open])");
      if (box === at.parentElement && at.localName !== "summary") return false;
    }
    return true;
  };
  return elements.filter(away).length;
}

/**
 * A locator that goes to its step. `anywhere` finds the same, also where it is hidden; it is
 * another one where a role is looked for, which is not found there otherwise.
 */
function going(page, locator, anywhere) {
  const own = {
    plain: locator,
    anywhere,
    // There may be none.
    allInnerTexts: async () => {
      const step = await anywhere.evaluateAll(hiddenStep);
      if (step) await goTo(page, step);
      return locator.allInnerTexts();
    },
    all: async () => (await anywhere.all()).map((one) => going(page, one, one)),
    count: async () =>
      (await locator.count()) + (anywhere === locator ? 0 : await anywhere.evaluateAll(countAway)),
    waitFor: async (options = {}) => {
      if ((options.state ?? "visible") === "visible") await bring(page, anywhere, options.timeout);
      return locator.waitFor(options);
    },
  };
  for (const name of makers)
    own[name] = (...args) => {
      const [plain, other] = [plainly(args), hiddenToo(name, args)];
      const next = locator[name](...plain);
      const same = anywhere === locator && name !== "getByRole" && !args.some(hasTwin);
      return going(page, next, same ? next : anywhere[name](...other));
    };
  for (const name of acts)
    own[name] = async (...args) => {
      await bring(page, anywhere, timeoutIn(args));
      return locator[name](...args);
    };
  return new Proxy(locator, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const isGoing = (x) => Boolean(x?.plain && x?.anywhere);
const hasTwin = (x) => isGoing(x) || isGoing(x?.has) || isGoing(x?.hasNot);

/** Arguments with the locators in them as they are, or as they are found where they are hidden. */
function withLocators(args, pick) {
  return args.map((x) =>
    isGoing(x)
      ? pick(x)
      : x && typeof x === "object" && hasTwin(x)
        ? {
            ...x,
            ...(isGoing(x.has) && { has: pick(x.has) }),
            ...(isGoing(x.hasNot) && { hasNot: pick(x.hasNot) }),
          }
        : x,
  );
}
const plainly = (args) => withLocators(args, (x) => x.plain);
const hiddenToo = (name, args) =>
  name === "getByRole" ? everywhere(args) : withLocators(args, (x) => x.anywhere);

const everywhere = ([role, options]) => [role, { ...options, includeHidden: true }];

const timeoutIn = (args) => args.find((a) => typeof a === "object" && a?.timeout)?.timeout;

/**
 * Has a page go to the step that a test asks something of. Pages without steps stay as they are.
 */
export function stepping(page) {
  const own = {};
  for (const name of [...makers, ...pageActs, "waitForSelector"])
    own[name] = page[name]?.bind(page);
  for (const name of makers)
    if (own[name])
      page[name] = (...args) => {
        const next = own[name](...plainly(args));
        const same = name !== "getByRole" && !args.some(hasTwin);
        return going(page, next, same ? next : own[name](...hiddenToo(name, args)));
      };
  for (const name of pageActs)
    page[name] = async (selector, ...args) => {
      await bring(page, own.locator(selector), timeoutIn(args));
      return own[name](selector, ...args);
    };
  page.waitForSelector = async (selector, options = {}) => {
    if ((options.state ?? "visible") === "visible")
      await bring(page, own.locator(selector), options.timeout);
    return own.waitForSelector(selector, options);
  };
  return page;
}
