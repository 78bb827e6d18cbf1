// What every page does once it is there: theme, search key, and the place across languages.

type Theme = "system" | "light" | "dark";

const root = document.documentElement;

/** Storage may be blocked; then choices last as long as the page. */
export function remember(storage: "local" | "session", key: string, value: string | null): void {
  try {
    const store = storage === "local" ? localStorage : sessionStorage;
    if (value === null) store.removeItem(`shikumi:${key}`);
    else store.setItem(`shikumi:${key}`, value);
  } catch {}
}

export function recall(storage: "local" | "session", key: string): string | null {
  try {
    return (storage === "local" ? localStorage : sessionStorage).getItem(`shikumi:${key}`);
  } catch {
    return null;
  }
}

function setUpTheme(button: HTMLButtonElement): void {
  const names: Record<Theme, string> = JSON.parse(button.dataset.names ?? "{}");
  const order: Theme[] = ["system", "light", "dark"];
  const now = (): Theme => (root.dataset.theme as Theme | undefined) ?? "system";
  const label = () => {
    const text = `${button.dataset.label}: ${names[now()]}`;
    button.setAttribute("aria-label", text);
    button.title = text;
  };
  label();
  button.addEventListener("click", () => {
    const theme = order[(order.indexOf(now()) + 1) % order.length]!;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    remember("local", "theme", theme === "system" ? null : theme);
    label();
  });
}

/** The heading at the top of the view, and how far below it the view begins. */
function placeNow(): { id: string; dy: number } | undefined {
  const headings = [...document.querySelectorAll<HTMLElement>("main :is(h2, h3)[id]")];
  const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120).at(-1);
  return above && { id: above.id, dy: Math.round(above.getBoundingClientRect().top) };
}

function setUpSwitch(link: HTMLAnchorElement): void {
  const path = link.getAttribute("href") ?? "/";
  link.addEventListener("click", () => {
    remember("local", "lang", link.dataset.switch ?? null);
    link.href = path + location.hash; // The fragment holds the state of the figures.
    const place = placeNow();
    if (place) remember("session", "place", JSON.stringify({ ...place, path }));
  });
}

/** After a switch of language: goes to the same heading, at the same distance. */
function restorePlace(): void {
  const text = recall("session", "place");
  if (!text) return;
  remember("session", "place", null);
  const { id, dy, path } = JSON.parse(text) as { id: string; dy: number; path: string };
  const heading = path === location.pathname && document.getElementById(id);
  if (!heading) return;
  const top = heading.getBoundingClientRect().top + scrollY - Math.min(dy, 120);
  scrollTo({ top, behavior: "instant" });
}

async function openSearch(): Promise<void> {
  const box = document.querySelector<HTMLDialogElement>("[data-search]");
  if (!box || box.open) return;
  box.showModal();
  const { setUpSearch } = await import("./search.ts");
  setUpSearch(box);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-theme-toggle]")) {
  setUpTheme(button);
}
for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-switch]")) {
  setUpSwitch(link);
}
for (const button of document.querySelectorAll("[data-search-open]")) {
  button.addEventListener("click", openSearch);
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target)) return;
  event.preventDefault();
  void openSearch();
});
// Once all scripts have set up what they restore, which moves the text.
document.addEventListener("DOMContentLoaded", restorePlace);
