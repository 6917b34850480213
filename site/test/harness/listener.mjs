// What a screen reader has of a page: what has the focus, by its role and name as the browser works
// them out, and what is announced.

import assert from "node:assert/strict";

/** Begins to note what live regions say. Before the page is opened. */
export function listen(page) {
  return page.addInitScript(() => {
    globalThis.announced = [];
    const live = "[aria-live], [role=status], [role=alert]";
    const say = (region) => {
      const text = region.textContent.replace(/\s+/g, " ").trim();
      if (text !== "" && globalThis.announced.at(-1) !== text) globalThis.announced.push(text);
    };
    new MutationObserver((changes) => {
      const regions = new Set();
      for (const { target, addedNodes } of changes) {
        const around = (
          target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement
        )?.closest(live);
        if (around) regions.add(around);
        // An alert is read out when it comes.
        for (const node of addedNodes)
          if (node.nodeType === Node.ELEMENT_NODE)
            for (const alert of [node, ...node.querySelectorAll("*")])
              if (alert.matches("[role=alert]")) regions.add(alert);
      }
      for (const region of regions) if (region.isConnected) say(region);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/**
 * Waits until something is announced that holds the text; what was announced up to then is not
 * heard again.
 */
export async function hear(page, text, timeout = 60_000) {
  await page
    .waitForFunction(
      (wanted) => {
        const at = globalThis.announced.findIndex((said) => said.includes(wanted));
        if (at < 0) return false;
        globalThis.announced.splice(0, at + 1);
        return true;
      },
      text,
      { timeout },
    )
    .catch(async () =>
      assert.fail(
        `“${text}” is not announced, but: ${(await page.evaluate(() => globalThis.announced)).map((t) => `“${t}”`).join(", ") || "nothing"}`,
      ),
    );
}

/** A session that asks the browser for what it tells assistive technology. */
export async function assistive(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Accessibility.enable");
  /**
   * What has the focus: role and name as the browser tells them, and whether the focus can be seen.
   * The tree of names follows the page a little later: an element that it does not know, or not yet
   * by a name, is looked at again for up to a second.
   */
  return async function focused(tries = 10) {
    try {
      const at = await look();
      if (at.body || at.name !== "" || tries <= 1) return at;
    } catch (error) {
      // It was drawn anew in between.
      if (tries <= 1) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    return focused(tries - 1);
  };
  async function look() {
    const { result } = await session.send("Runtime.evaluate", {
      expression:
        "(() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement; return e; })()",
    });
    const { nodes } = await session.send("Accessibility.getPartialAXTree", {
      objectId: result.objectId,
      fetchRelatives: false,
    });
    const seen = await session.send("Runtime.callFunctionOn", {
      objectId: result.objectId,
      functionDeclaration: shows.toString(),
      returnByValue: true,
    });
    const [node] = nodes;
    return {
      role: node.role?.value ?? "",
      name: (node.name?.value ?? "").replace(/\s+/g, " ").trim(),
      ...seen.result.value,
    };
  }
}

/**
 * Runs in the page, on what has the focus. An element that is hidden itself shows its focus on its
 * label.
 */
function shows() {
  const ringed = (x) => {
    const style = x && getComputedStyle(x);
    return (
      Boolean(style) &&
      ((style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) ||
        style.boxShadow !== "none")
    );
  };
  return {
    body: this === document.body,
    visible: [this, ...(this.labels ?? []), this.closest("label"), this.parentElement].some(ringed),
  };
}
