import { attributesOf, type Shape } from "./shape.ts";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element's children the shapes. What is there already is kept where its tag fits and told
 * only what changed, so that a redraw of a plot sets a few attributes and makes no elements. The
 * class is given as `part` too, for a page's own styles.
 */
export function paint(parent: Element, shapes: readonly Shape[]): void {
  shapes.forEach((shape, i) => {
    const there = parent.children[i];
    let element: Element;
    if (there?.tagName === shape.tag) element = there;
    else {
      element = document.createElementNS(SVG, shape.tag);
      if (there) there.replaceWith(element);
      else parent.append(element);
    }
    const wanted = attributesOf(shape);
    if (wanted.class) wanted.part = wanted.class;
    for (const name of element.getAttributeNames())
      if (!(name in wanted)) element.removeAttribute(name);
    for (const [name, value] of Object.entries(wanted))
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    if (shape.children) paint(element, shape.children);
    else if (element.textContent !== (shape.text ?? "")) element.textContent = shape.text ?? "";
  });
  while (parent.children.length > shapes.length) parent.lastElementChild?.remove();
}
