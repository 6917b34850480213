// The keys of the table of columns, after the grid pattern of the ARIA practices: one cell is
// reached by Tab, arrows go from there.

import type { Cell, CellPart } from "../state/state.ts";
import type { Studio } from "./studio.ts";

/** DOM id of what has the focus in a cell. */
export const cellId = (id: string, part: CellPart): string => `${id}-${part}-cell`;

/** The cells of the table, row by row: of each, what has its focus. */
function cellsOf(table: Element): HTMLElement[][] {
  return [...table.querySelectorAll(".column-head")].map((row) => [
    ...row.querySelectorAll<HTMLElement>("[data-part]"),
  ]);
}

/** The cell that an element of the table is. */
function cellOf(target: EventTarget | null): Omit<Cell, "editing"> | null {
  if (!(target instanceof HTMLElement)) return null;
  const part = target.dataset["part"] as CellPart | undefined;
  const id = part && target.id.slice(0, -cellId("", part).length);
  return id ? { id, part } : null;
}

/** Where an arrow leads: by rows and columns; null if the key is no such. */
const ways: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

const within = (at: number, length: number): number => Math.min(length - 1, Math.max(0, at));

/** Goes to another cell, or leaves the one that is edited. */
export function keyInTable(studio: Studio, event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (target.closest(".cell-editor")) return editing.key(studio, event);
  const way = ways[event.key];
  const here = cellOf(target);
  if (!here || !way || event.shiftKey || event.altKey) return;
  const rows = cellsOf(event.currentTarget as Element);
  const row = rows.findIndex((cells) => cells.includes(target));
  const column = rows[row]?.indexOf(target) ?? -1;
  if (row < 0) return;
  event.preventDefault();
  // With Ctrl, to the first cell of all, or to the last.
  const far = (event.ctrlKey || event.metaKey) && way[0] === 0 ? Math.sign(way[1]) * Infinity : 0;
  const to = rows[within(row + way[0] + far, rows.length)]!;
  // The label's name is not edited in the table: rows are not all of as many cells.
  const below = way[0] !== 0 && to.find((c) => c.dataset["part"] === target.dataset["part"]);
  (below || to[within(column + way[1], to.length)])?.focus();
}

/** A cell has the focus: it is the one that Tab comes back to. */
export function focused(studio: Studio, { target }: FocusEvent): void {
  const cell = cellOf(target);
  if (cell) studio.editor.goToCell({ ...cell, editing: false });
}

/** Editing a cell in its place. */
export const editing = {
  begin(studio: Studio, id: string, part: CellPart): void {
    studio.editor.goToCell({ id, part, editing: true });
  },

  /** Escape leaves, and Enter where it is no new line; what was typed stays, and can be undone. */
  key(studio: Studio, event: KeyboardEvent): void {
    const { cell } = studio.state;
    const lines = event.target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey;
    if (!cell || (event.key !== "Escape" && (event.key !== "Enter" || lines))) return;
    event.preventDefault();
    this.end(studio);
    requestAnimationFrame(() => document.getElementById(cellId(cell.id, cell.part))?.focus());
  },

  /** The focus went elsewhere. */
  left(studio: Studio, { target, relatedTarget }: FocusEvent): void {
    const editor = target instanceof Element ? target.closest(".cell-editor") : null;
    if (!editor?.isConnected || editor.contains(relatedTarget as Node | null)) return;
    this.end(studio);
  },

  end(studio: Studio): void {
    const { cell } = studio.state;
    if (!cell?.editing) return;
    const fields = {
      use: [],
      name: ["name"],
      kind: [],
      values: ["min", "max", "categories"],
      why: ["reason"],
      more: [],
    };
    for (const field of fields[cell.part]) studio.editor.touch(`${cell.id}.${field}`);
    studio.editor.touch(`${cell.id}.${cell.part}`);
    studio.editor.goToCell({ ...cell, editing: false });
  },
};
