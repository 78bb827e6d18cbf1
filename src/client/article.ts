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
  // An observer tells when a heading crosses the line; nothing runs while it does not.
  const observer = new IntersectionObserver(mark, { rootMargin: "-139px 0px -40% 0px" });
  for (const heading of headings) observer.observe(heading);
  mark();
}

for (const toc of document.querySelectorAll<HTMLElement>("[data-toc]")) followHeadings(toc);
