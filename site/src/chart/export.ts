// A drawn plot as a file. Both pictures are made from the drawing on the page, with the colours
// that it has there.

const SVG = "http://www.w3.org/2000/svg";
const kept = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "font-size",
];

/**
 * The ground that the element stands on: the first one behind it that is not transparent, else the
 * browser's.
 */
export function ground(element: Element): string {
  for (let at: Node | null = element; at; at = at instanceof ShadowRoot ? at.host : at.parentNode) {
    if (!(at instanceof Element)) continue;
    const colour = getComputedStyle(at).backgroundColor;
    if (!/^transparent$|(?:,|\/)\s*0\)$/.test(colour)) return colour;
  }
  return "Canvas";
}

/** A line of text below a drawing that stands alone, small enough for a narrow one. */
function lineBelow(text: string, width: number, height: number) {
  const size = Math.min(13, (1.65 * width) / text.length);
  return { x: 8, y: height + 12, size, height: text === "" ? height : height + 22 };
}

/**
 * The drawing as the text of a file that needs nothing else: every colour is resolved. `below` is
 * written under it.
 */
export function svgFile(drawing: SVGSVGElement, title: string, below = ""): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const name of ["class", "part", "style", "aria-hidden"]) element.removeAttribute(name);
    if (element.localName === "svg") return;
    for (const name of kept)
      if (element.hasAttribute(name)) element.setAttribute(name, style.getPropertyValue(name));
  });
  copy.querySelectorAll("[data-cursor]").forEach((element) => element.remove());
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("font-family", getComputedStyle(drawing).fontFamily);
  const [, , width = 0, height = 0] = (drawing.getAttribute("viewBox") ?? "")
    .split(" ")
    .map(Number);
  const line = lineBelow(below, width, height);
  const made = (tag: string, is: object, text = "") => {
    const one = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(is)) one.setAttribute(name, String(value));
    one.textContent = text;
    return one;
  };
  const fill = resolved(ground(drawing));
  copy.prepend(made("title", {}, title), made("rect", { width, height: line.height, fill }));
  if (below !== "") {
    const ink = resolved(getComputedStyle(drawing).color);
    copy.append(made("text", { x: line.x, y: line.y, fill: ink, "font-size": line.size }, below));
    copy.setAttribute("viewBox", `0 0 ${width} ${line.height}`);
    copy.setAttribute("height", String(line.height));
  }
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** A CSS colour as every program reads it. */
function resolved(colour: string): string {
  const context = document.createElement("canvas").getContext("2d")!;
  context.fillStyle = colour;
  return context.fillStyle;
}

/**
 * The drawing as a PNG, with `below` written under it, `scale` pixels to each of its own. It is
 * drawn shape by shape: no policy of the page on images stands in the way.
 */
export function pngFile(drawing: SVGSVGElement, below = "", scale = 2): Promise<Blob> {
  const [, , width = 0, height = 0] = (drawing.getAttribute("viewBox") ?? "")
    .split(" ")
    .map(Number);
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  const line = lineBelow(below, width, height);
  canvas.height = line.height * scale;
  // Drawn once and read once: a graphics card's help would cost more than it gives, seconds where
  // it is emulated.
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.scale(scale, scale);
  context.fillStyle = ground(drawing);
  context.fillRect(0, 0, width, line.height);
  draw(context, drawing);
  const { color, fontFamily } = getComputedStyle(drawing);
  context.fillStyle = color;
  context.font = `${line.size}px ${fontFamily}`;
  context.fillText(below, line.x, line.y);
  return new Promise((done, failed) =>
    canvas.toBlob(
      (blob) => (blob ? done(blob) : failed(new Error("The browser made no picture."))),
      "image/png",
    ),
  );
}

function draw(context: CanvasRenderingContext2D, parent: Element): void {
  for (const element of parent.children) {
    if (element.hasAttribute("data-cursor")) continue;
    const n = (name: string) => Number(element.getAttribute(name) ?? 0);
    context.save();
    if (element.localName === "svg") {
      context.beginPath();
      context.rect(n("x"), n("y"), n("width"), n("height"));
      context.clip();
      draw(context, element);
    } else if (element.localName === "g") draw(context, element);
    else stroke(context, element, n);
    context.restore();
  }
}

function stroke(
  context: CanvasRenderingContext2D,
  element: Element,
  n: (name: string) => number,
): void {
  const style = getComputedStyle(element);
  const path = new Path2D(element.getAttribute("d") ?? "");
  if (element.localName === "circle") path.arc(n("cx"), n("cy"), n("r"), 0, 2 * Math.PI);
  if (element.localName === "rect") path.rect(n("x"), n("y"), n("width"), n("height"));
  if (element.localName === "line") {
    path.moveTo(n("x1"), n("y1"));
    path.lineTo(n("x2"), n("y2"));
  }
  if (style.fill !== "none" && element.localName !== "line") {
    context.fillStyle = style.fill;
    context.globalAlpha = Number(style.fillOpacity);
    if (element.localName === "text") {
      context.font = `${style.fontSize} ${style.fontFamily}`;
      const anchor = element.getAttribute("text-anchor");
      context.textAlign = anchor === "end" ? "right" : anchor === "middle" ? "center" : "left";
      const down =
        Number.parseFloat(element.getAttribute("dy") ?? "0") * Number.parseFloat(style.fontSize);
      context.fillText(element.textContent ?? "", n("x"), n("y") + down);
    } else context.fill(path);
  }
  if (style.stroke !== "none") {
    context.strokeStyle = style.stroke;
    context.globalAlpha = Number(style.strokeOpacity);
    context.lineWidth = Number.parseFloat(style.strokeWidth);
    context.lineJoin = "round";
    if (style.strokeDasharray !== "none")
      context.setLineDash(style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat));
    context.stroke(path);
  }
}

/** Cells as a CSV with a header, by RFC 4180. */
export function csvFile(rows: readonly (readonly (string | number)[])[]): string {
  const field = (value: string | number) =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

/** Hands a file to the reader. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
