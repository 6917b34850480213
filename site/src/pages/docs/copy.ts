// A button on each piece of code, which copies it. What happened is said beside the button and to
// screen readers.

/** Puts a text on the clipboard; false if the browser does not let the page. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // an old browser, a page without https, or a refusal
  }
}

function select(element: Element): void {
  const selection = getSelection();
  selection?.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(element);
  selection?.addRange(range);
}

/** How long the button says what it did. */
const saysFor = 2000;

/** Adds the buttons to a page, and the one line that speaks for all of them. */
export function addCopyButtons(): void {
  const blocks = document.querySelectorAll(".code-block");
  if (blocks.length === 0) return;
  const status = document.createElement("p");
  status.className = "hidden";
  status.role = "status";
  document.body.append(status);
  for (const block of blocks) {
    const code = block.querySelector("code");
    if (!code) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    button.textContent = "Copy";
    button.setAttribute(
      "aria-label",
      block.classList.contains("text-block") ? "Copy the text" : "Copy the code",
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    button.addEventListener("click", async () => {
      const done = await copied(code.textContent.replace(/\n$/, ""));
      if (!done) select(code);
      button.textContent = done ? "Copied" : "Selected";
      status.textContent = "";
      status.textContent = done
        ? "Copied"
        : "The browser does not let this page copy. The text is selected: copy it with the keyboard.";
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = "Copy";
        status.textContent = "";
      }, saysFor);
    });
    // Before the code: a reader who goes through the page by keyboard meets it first.
    block.prepend(button);
  }
}
