// The search dialog: asks Pagefind's index of this page's language and lists what it finds.

interface Found {
  url: string;
  meta: { title?: string };
  excerpt: string;
  sub_results: { url: string; title: string; excerpt: string }[];
}
interface Pagefind {
  init(): Promise<void>;
  debouncedSearch(
    query: string,
    options: object,
    waitMs: number,
  ): Promise<{ results: { data(): Promise<Found> }[] } | null>;
}
type Texts = Record<
  "index" | "start" | "searching" | "none" | "one" | "many" | "unavailable",
  string
>;

const RESULTS_MAX = 8;
const PARTS_MAX = 2;
let ready = false;

export function setUpSearch(box: HTMLDialogElement): void {
  if (ready) return;
  ready = true;
  const texts: Texts = JSON.parse(box.dataset.texts ?? "{}");
  const input = box.querySelector("input")!;
  const state = box.querySelector(".state")!;
  const list = box.querySelector(".results")!;
  const engine = import(/* @vite-ignore */ texts.index) as Promise<Pagefind>;

  const run = async () => {
    const query = input.value.trim();
    if (!query) {
      list.replaceChildren();
      state.textContent = texts.start;
      return;
    }
    try {
      const answer = await (await engine).debouncedSearch(query, {}, 120);
      if (!answer || query !== input.value.trim()) return; // A later query is on its way.
      const found = await Promise.all(answer.results.slice(0, RESULTS_MAX).map((r) => r.data()));
      list.replaceChildren(...found.flatMap(entriesOf));
      state.textContent = countText(texts, answer.results.length, query);
    } catch {
      state.textContent = texts.unavailable;
    }
  };

  input.addEventListener("input", () => {
    if (input.value.trim() && !list.hasChildNodes()) state.textContent = texts.searching;
    void run();
  });
  box.addEventListener("keydown", (event) => {
    // A search field takes the first Escape to empty itself; here one is enough to leave.
    if (event.key === "Escape" && !event.isComposing) box.close();
    else move(event, input, list);
  });
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close(); // The backdrop.
    if (event.target instanceof Element && event.target.closest(".results a")) box.close();
  });
  void run();
}

function countText(texts: Texts, count: number, query: string): string {
  if (count === 0) return texts.none.replace("{query}", query);
  return count === 1 ? texts.one : texts.many.replace("{count}", String(count));
}

/** Arrow keys walk through the links; up from the first goes back to the field. */
function move(event: KeyboardEvent, input: HTMLInputElement, list: Element): void {
  // Enter in the field would press the close button: it opens the first result instead.
  if (event.key === "Enter" && event.target === input && !event.isComposing) {
    event.preventDefault();
    list.querySelector("a")?.click();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops: HTMLElement[] = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function entriesOf(found: Found): HTMLLIElement[] {
  const whole = entry(found.url, found.meta.title ?? found.url, found.excerpt, false);
  const parts = found.sub_results.filter((part) => part.url.includes("#")).slice(0, PARTS_MAX);
  return [whole, ...parts.map((part) => entry(part.url, part.title, part.excerpt, true))];
}

function entry(url: string, title: string, excerpt: string, within: boolean): HTMLLIElement {
  const link = document.createElement("a");
  link.href = url;
  link.classList.toggle("within", within);
  const name = document.createElement("b");
  name.textContent = title;
  const text = document.createElement("span");
  text.innerHTML = excerpt; // Our own text, escaped by Pagefind, with <mark> around the hits.
  link.append(name, text);
  const item = document.createElement("li");
  item.append(link);
  return item;
}
