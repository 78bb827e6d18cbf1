// What articles add to the page: the contents list follows, predictions and terms come alive.
import "./predict.ts";
import "./term.ts";

/** Marks in the contents list the heading that the reader has reached. */
function followHeadings(toc: HTMLElement): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of toc.querySelectorAll("a")) links.set(link.hash.slice(1), link);
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    const reached = headings.filter((heading) => heading.getBoundingClientRect().top < 140).at(-1);
    const link = reached && links.get(reached.id);
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    current = link;
  };
  let waiting = false;
  const markOnce = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  };
  addEventListener("scroll", markOnce, { passive: true });
  addEventListener("resize", markOnce, { passive: true });
  markOnce();
}

for (const toc of document.querySelectorAll<HTMLElement>("[data-toc]")) followHeadings(toc);
