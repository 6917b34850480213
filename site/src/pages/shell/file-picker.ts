import { html, nothing, type TemplateResult } from "lit/html.js";

export interface FilePickerOptions {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** Text of the button. */
  readonly button: string;
  readonly accept: string;
  readonly multiple?: boolean;
  readonly disabled: boolean;
  readonly take: (files: readonly File[]) => void;
}

/**
 * A place to drop files on, with a file input behind its button. The input's own text ("no file
 * chosen") would be untrue as soon as a file is open, so it is hidden; the label stands for it, and
 * shows its focus.
 */
export function filePicker(o: FilePickerOptions): TemplateResult {
  const over = (event: DragEvent, on: boolean) => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.toggle("drop-over", on && !o.disabled);
  };
  const take = (files: FileList | null | undefined) => {
    if (!o.disabled && files && files.length > 0) o.take(o.multiple ? [...files] : [files[0]!]);
  };
  return html`<div
    class="drop"
    @dragover=${(e: DragEvent) => over(e, true)}
    @dragleave=${(e: DragEvent) => over(e, false)}
    @drop=${(e: DragEvent) => {
      over(e, false);
      take(e.dataTransfer?.files);
    }}
  >
    <p class="drop-title">${o.title}</p>
    <p class="hint" id="${o.id}-hint">${o.hint}</p>
    <input
      class="drop-input"
      id=${o.id}
      type="file"
      accept=${o.accept}
      ?multiple=${o.multiple === true}
      ?disabled=${o.disabled}
      aria-describedby="${o.id}-hint"
      @change=${(e: Event) => {
        const input = e.target as HTMLInputElement;
        take(input.files);
        input.value = "";
      }}
    />
    <label class="button" for=${o.id} aria-disabled=${o.disabled ? "true" : nothing}
      >${o.button}</label
    >
  </div>`;
}
