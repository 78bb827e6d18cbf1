/** What the build made: links and anchors lead somewhere, Markdown left no marks, pages are whole. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../../scripts/build.ts";

const dist = "dist";
const BUILD_MS = 300_000;

interface Built {
  path: string;
  html: string;
  ids: string[];
}

const entities: Record<string, string> = {
  "&#38;": "&",
  "&amp;": "&",
  "&#x27;": "'",
  "&quot;": '"',
};
const decode = (text: string) => text.replace(/&(?:#38|amp|#x27|quot);/g, (e) => entities[e]!);
let built: Built[] = [];

/** Pages for readers; files of the simulator are listings, not pages. */
const readable = () => built.filter((page) => !page.path.startsWith("source/"));

function collect(values: Map<string, string[]>, page: Built, value: string): void {
  values.set(page.path, [...(values.get(page.path) ?? []), value]);
}

function fileOf(page: Built, link: string): string {
  const path = decodeURI(link.split(/[?#]/)[0]!);
  if (path === "") return page.path;
  const full = path.startsWith("/") ? path.slice(1) : relative("", join(dirname(page.path), path));
  const isFolder = existsSync(join(dist, full)) && statSync(join(dist, full)).isDirectory();
  return isFolder || full === "" ? join(full, "index.html") : full;
}

beforeAll(() => {
  if (!existsSync(join(dist, "pagefind/pagefind.js"))) build();
  built = globSync("**/*.html", { cwd: dist }).map((path) => {
    const html = readFileSync(join(dist, path), "utf8");
    return {
      path,
      html,
      ids: [...html.matchAll(/\sid="([^"]*)"/g)].map((match) => decode(match[1]!)),
    };
  });
}, BUILD_MS);

describe("the built site", () => {
  it("has the door, both first pages, the reference and 404 pages in both languages", () => {
    const paths = built.map((page) => page.path);
    for (const path of ["index.html", "404.html"]) expect(paths).toContain(path);
    for (const lang of ["ja", "en"]) {
      for (const path of [
        "index.html",
        "404.html",
        "glossary/index.html",
        "misconceptions/index.html",
        "fidelity/index.html",
        "simulator-api/index.html",
      ]) {
        expect(paths).toContain(join(lang, path));
      }
    }
  });

  it("has the same pages in both languages", () => {
    const of = (lang: string) =>
      built.flatMap(({ path }) => (path.startsWith(`${lang}/`) ? [path.slice(3)] : [])).sort();
    expect(of("ja")).toEqual(of("en"));
  });

  it("has no link to a missing page, file or anchor", () => {
    const dead = new Map<string, string[]>();
    const byPath = new Map(built.map((page) => [page.path, page]));
    for (const page of built) {
      for (const [, attribute, raw] of page.html.matchAll(/\s(href|src)="([^"]*)"/g)) {
        const link = decode(raw!);
        if (/^(?:[a-z]+:|\/\/)/.test(link)) continue;
        const file = fileOf(page, link);
        const anchor = decodeURIComponent(link.split("#")[1] ?? "");
        const target = byPath.get(file);
        if (!existsSync(join(dist, file))) collect(dead, page, `${attribute} ${link}`);
        else if (anchor && !anchor.includes("=") && target && !target.ids.includes(anchor)) {
          collect(dead, page, `${link} has no such anchor`);
        }
      }
    }
    expect(Object.fromEntries(dead)).toEqual({});
  });

  it("leaves no Markdown marks in the text", () => {
    const left = new Map<string, string[]>();
    for (const page of readable()) {
      const text = page.html
        .replace(/<(script|style|pre|code|textarea)\b[\s\S]*?<\/\1>/g, "")
        .replace(/<[^>]*>/g, "");
      for (const [mark] of text.matchAll(/.{0,20}(?:\*\*|`).{0,20}/g)) collect(left, page, mark);
    }
    expect(Object.fromEntries(left)).toEqual({});
  });

  it("gives every page a language, a title, one h1 and different ids", () => {
    const faults = new Map<string, string[]>();
    for (const page of readable()) {
      const lang = page.path.startsWith("ja/") ? "ja" : "en";
      if (!page.html.includes(`<html lang="${lang}"`)) collect(faults, page, `lang is not ${lang}`);
      if (!/<title>[^<]+<\/title>/.test(page.html)) collect(faults, page, "no title");
      if (page.html.match(/<h1[\s>]/g)?.length !== 1) collect(faults, page, "not one h1");
      const twice = page.ids.filter((id, index) => page.ids.indexOf(id) !== index);
      if (twice.length > 0) collect(faults, page, `ids twice: ${twice.join(", ")}`);
    }
    expect(Object.fromEntries(faults)).toEqual({});
  });

  it("loads nothing from another host", () => {
    const outside = readable().flatMap(({ path, html }) =>
      [
        ...html.matchAll(
          /<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?\/\/[^"]*"/g,
        ),
      ]
        .filter(([tag]) => !/rel="(?:canonical|alternate)"/.test(tag))
        .map(([tag]) => `${path}: ${tag}`),
    );
    expect(outside).toEqual([]);
  });
});
