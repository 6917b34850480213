// The vote that can be tried, in the figure of the page on votes. The hospitals and their votes are
// made up, so that noise may be drawn again and again: of real votes it is drawn once.

interface Curve {
  epsilon: number;
  /** At gaps 0, 2, …. */
  wrong: number[];
}

const rows = ["Ada, 71, chest pain", "Ben, 34, cough", "Cleo, 58, dizziness", "Dan, 45, fall"];

/** How many say yes at first. */
const first = [19, 4, 13, 11];

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  set: Partial<HTMLElementTagNameMap[K]>,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), set);
  made.append(...inside);
  return made;
}

/** A number from 0 to below 1, from the browser's secure source. */
const uniform = () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

const percent = (chance: number) =>
  chance === 0 ? "never" : chance < 0.001 ? "below 0.1 %" : `${(100 * chance).toFixed(1)} %`;

function build(figure: HTMLElement): void {
  const hospitals = Number(figure.dataset["hospitals"]);
  const curves = JSON.parse(figure.dataset["table"]!) as Curve[];
  const choice = element(
    "select",
    { id: "votes-epsilon" },
    ...curves.map(({ epsilon }) =>
      element("option", { value: String(epsilon), selected: epsilon === 1 }, String(epsilon)),
    ),
  );
  const curve = () => curves[choice.selectedIndex]!;

  const lines = rows.map((name, i) => {
    const slider = element("input", {
      type: "range",
      max: String(hospitals),
      value: String(first[i]),
      ariaLabel: `Hospitals that say yes to ${name}`,
    });
    const count = element("td", {});
    const chance = element("td", { className: "votes-wrong" });
    const label = element("td", { className: "votes-label" });
    const draw = () => {
      const yes = slider.valueAsNumber;
      const gap = Math.abs(2 * yes - hospitals);
      const wrong = curve().wrong[gap / 2]!;
      count.textContent = `${yes} : ${hospitals - yes}`;
      slider.ariaValueText = `${yes} of ${hospitals}`;
      chance.textContent = percent(wrong);
      const majority = yes * 2 >= hospitals;
      label.textContent = uniform() < wrong !== majority ? "yes" : "no";
    };
    slider.addEventListener("input", draw);
    const cells = [element("td", { className: "votes-slider" }, slider), count, chance, label];
    const head = element("th", { scope: "row" }, name);
    return { row: element("tr", {}, head, ...cells), draw };
  });
  const all = () => {
    for (const { draw } of lines) draw();
  };
  const again = element("button", { type: "button", className: "button button-quiet" });
  again.textContent = "Draw the noise again";
  again.addEventListener("click", all);
  choice.addEventListener("change", all);
  all();

  const heads = ["Public row", `Say yes, of ${hospitals}`, "Yes : no", "Wrong", "Label"];
  const table = element(
    "table",
    { className: "votes-table" },
    element(
      "thead",
      {},
      element("tr", {}, ...heads.map((h) => element("th", { scope: "col" }, h))),
    ),
    element("tbody", {}, ...lines.map(({ row }) => row)),
  );
  figure.prepend(
    element(
      "div",
      { className: "votes-live" },
      element(
        "p",
        { className: "votes-controls" },
        element("label", { htmlFor: "votes-epsilon" }, "ε of each row"),
        choice,
        again,
      ),
      table,
    ),
  );
}

const figure = document.getElementById("votes-figure");
if (figure) build(figure);
