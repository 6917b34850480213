// The search of the documentation: a dialog with one field. `/` opens it, arrows move, Enter goes,
// Escape closes. The index is fetched when it is first opened.

import { type Found, Search } from "./ranking.ts";

/** An element with attributes and what is inside it. */
function made(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  inside: readonly (Node | string)[] = [],
): HTMLElement {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...inside);
  return one;
}

/** Whether what is typed there is meant for a field. */
function typing({ target }: Event): boolean {
  return (
    target instanceof Element &&
    (target.closest("input, textarea, select, [role=slider]") !== null ||
      (target instanceof HTMLElement && target.isContentEditable))
  );
}

/** Adds the button that opens the search, and the key. */
export function addSearch(tools: HTMLElement): void {
  const button = made(
    "button",
    {
      type: "button",
      class: "button button-quiet search-button",
      "aria-keyshortcuts": "/",
    },
    ["Search ", made("kbd", { "aria-hidden": "true" }, ["/"])],
  );
  let dialog: SearchDialog | undefined;
  const open = (): void => (dialog ??= new SearchDialog()).open();
  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event))
      return;
    event.preventDefault();
    open();
  });
  tools.prepend(button);
}

class SearchDialog {
  private readonly input = made("input", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "go",
    placeholder: "Search the documentation",
    "aria-label": "Search the documentation",
    "aria-expanded": "false",
    "aria-controls": "search-results",
    "aria-autocomplete": "list",
  }) as HTMLInputElement;
  private readonly results = made("div", {
    id: "search-results",
    role: "listbox",
    "aria-label": "Places found",
    hidden: "",
  });
  private readonly status = made("div", {
    class: "search-says",
    role: "status",
  });
  private readonly dialog: HTMLDialogElement;
  private search: Search | undefined;
  private failed = false;
  private chosen = -1;

  constructor() {
    const close = made("button", { type: "button", class: "button button-quiet" }, ["Close"]);
    this.dialog = made("dialog", { class: "search", "aria-label": "Search" }, [
      made("div", { class: "search-field" }, [this.input, close]),
      this.status,
      this.results,
    ]) as HTMLDialogElement;
    close.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", ({ target }) => {
      if (target === this.dialog) this.dialog.close();
    });
    this.input.addEventListener("input", () => this.show());
    this.input.addEventListener("keydown", (event) => this.key(event));
    // A place on this very page is gone to without leaving it.
    this.results.addEventListener("click", () => this.dialog.close());
    document.body.append(this.dialog);
  }

  open(): void {
    if (!this.dialog.open) this.dialog.showModal();
    this.input.select();
    this.failed = false;
    this.show();
    if (this.search) return;
    fetch("search.json")
      .then((response) => {
        if (!response.ok) throw new Error(String(response.status));
        return response.json();
      })
      .then((index) => (this.search = new Search(index)))
      .catch(() => (this.failed = true))
      .finally(() => this.show());
  }

  private show(): void {
    const question = this.input.value.trim();
    const found = this.search?.find(question) ?? [];
    this.results.replaceChildren(...found.map(option));
    this.results.hidden = found.length === 0;
    this.input.setAttribute("aria-expanded", String(found.length > 0));
    this.status.replaceChildren(...this.says(question, found.length));
    this.choose(found.length > 0 ? 0 : -1);
  }

  private says(question: string, count: number): (Node | string)[] {
    if (this.failed)
      return ["The index could not be loaded. Close this, go online, and open it again."];
    if (!this.search) return ["Loading the index…"];
    if (question === "")
      return ["Type a word. Arrow keys choose a place, Enter goes there, Escape closes."];
    if (count === 1) return ["One place"];
    if (count > 1) return [`${count} places, best first`];
    return [made("strong", {}, ["Nothing found."]), " ", ...this.tries(question)];
  }

  /** What to do if nothing was found. */
  private tries(question: string): (Node | string)[] {
    const words = this.search!.alone(question).map((word) => {
      const button = made("button", { type: "button", class: "button" }, [word]);
      button.addEventListener("click", () => {
        this.input.value = word;
        this.input.focus();
        this.show();
      });
      return button;
    });
    const glossary = made("a", { href: "glossary.html" }, ["glossary"]);
    return words.length > 0
      ? ["Try one word alone: ", ...words.flatMap((button) => [button, " "])]
      : ["Try fewer letters or another word; the ", glossary, " has the words used here."];
  }

  private get options(): HTMLElement[] {
    return [...this.results.children] as HTMLElement[];
  }

  private choose(i: number): void {
    this.chosen = i;
    this.options.forEach((one, k) => one.setAttribute("aria-selected", String(k === i)));
    const option = this.options[i];
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    const { length } = this.options;
    if (event.key === "Enter") {
      event.preventDefault();
      this.options[this.chosen]?.click();
    } else if (length > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.choose((this.chosen + (event.key === "ArrowDown" ? 1 : length - 1)) % length);
    }
  }
}

function option({ href, page, heading, excerpt }: Found, i: number): HTMLElement {
  const text = excerpt.map((piece, k) => (k % 2 === 1 ? made("mark", {}, [piece]) : piece));
  return made("a", { role: "option", id: `search-result-${i}`, href, tabindex: "-1" }, [
    made("span", { class: "search-heading" }, [heading]),
    ...(heading === page ? [] : [made("span", { class: "search-page" }, [page])]),
    made("span", { class: "search-excerpt" }, text),
  ]);
}
