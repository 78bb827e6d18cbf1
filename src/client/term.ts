// Shows the definition of a term while it is pointed at or focused; Escape puts it away.
import { setCoded } from "./coded.ts";

const GAP_PX = 6;
let note: HTMLElement | undefined;
let shown: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(term: HTMLElement): void {
  clearTimeout(timer);
  if (shown === term) return;
  hide();
  note ??= Object.assign(document.createElement("p"), { className: "term-note phrases" });
  note.id = "term-note";
  note.setAttribute("role", "tooltip");
  setCoded(note, term.dataset.definition ?? "");
  document.body.append(note);
  term.setAttribute("aria-describedby", note.id);
  shown = term;
  place(term, note);
}

/** Under the word, or above it where there is no room; never past the edge of the page. */
function place(term: HTMLElement, box: HTMLElement): void {
  const word = term.getClientRects()[0] ?? term.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  const below = word.bottom + GAP_PX + size.height < innerHeight;
  const top = below ? word.bottom + GAP_PX : word.top - GAP_PX - size.height;
  const left = Math.min(Math.max(word.left, 16), document.body.clientWidth - size.width - 16);
  box.style.top = `${Math.round(top + scrollY)}px`;
  box.style.left = `${Math.round(left + scrollX)}px`;
}

function hide(): void {
  clearTimeout(timer);
  shown?.removeAttribute("aria-describedby");
  shown = undefined;
  note?.remove();
}

const termAt = (event: Event): HTMLElement | undefined =>
  (event.target instanceof Element && event.target.closest<HTMLElement>("[data-definition]")) ||
  undefined;

document.addEventListener("pointerover", (event) => {
  const term = termAt(event);
  if (term && event.pointerType === "mouse") {
    clearTimeout(timer);
    if (shown !== term) timer = setTimeout(show, 120, term);
  } else if (event.target === note) {
    clearTimeout(timer); // The reader may move onto the definition itself.
  } else if (shown && shown !== document.activeElement) {
    clearTimeout(timer);
    timer = setTimeout(hide, 200);
  } else if (!shown) {
    clearTimeout(timer);
  }
});
document.addEventListener("focusin", (event) => {
  const term = termAt(event);
  if (term?.matches(":focus-visible")) show(term);
});
document.addEventListener("focusout", (event) => {
  if (termAt(event) === shown) hide();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});
