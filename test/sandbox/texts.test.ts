/** The sandbox's texts: both languages whole, none unused. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../../src/sandbox/i18n/en.json" with { type: "json" };
import ja from "../../src/sandbox/i18n/ja.json" with { type: "json" };
import { createTexts } from "../../src/sandbox/texts.ts";

/** As the table in the simulator's source lists them. */
const table = readFileSync("sim/src/kernel/verbs.ts", "utf8");
const verbs = [...table.matchAll(/^ {2}"?([a-z-]+)"?: "/gm)].map((match) => match[1]!);

function keysOf(value: object, path = ""): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" ? [`${path}${key}`] : keysOf(inner, `${path}${key}.`),
  );
}

const base = (key: string) => key.replace(/_(one|other)$/, "");
const enKeys = [...new Set(keysOf(en.sandbox).map(base))];
const source = readdirSync(join(import.meta.dirname, "../../src/sandbox"), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && /\.(tsx?|astro)$/.test(entry.name))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  .join("\n");

describe("texts of the sandbox", () => {
  it("have the same keys and the same values in both languages", () => {
    expect([...new Set(keysOf(ja.sandbox).map(base))]).toEqual(enKeys);
    const values = (texts: typeof en.sandbox | typeof ja.sandbox, key: string) => {
      const text = key
        .split(".")
        .reduce<unknown>(
          (at, part) =>
            (at as Record<string, unknown>)[part] ??
            (at as Record<string, unknown>)[`${part}_other`],
          texts,
        );
      return [...String(text).matchAll(/\{\{(\w+)\}\}/g)].map((m) => m[1]).sort();
    };
    for (const key of enKeys)
      expect([key, values(ja.sandbox, key)]).toEqual([key, values(en.sandbox, key)]);
  });

  it("are all used: by name, or by a name made at run time", () => {
    const families = /^(say|status|stage|boot|error|legend|tab|problem|hero)\./;
    const unused = enKeys.filter(
      (key) => !families.test(key) && !source.includes(`"${key}"`) && !source.includes(`${key}`),
    );
    expect(unused).toEqual([]);
  });

  it("say every verb that a beat can have", () => {
    const folded = new Set(["response", "write", "txn", "range", "bind", "log", "packet"]);
    const missing = verbs.filter((verb) => !folded.has(verb) && !enKeys.includes(`say.${verb}`));
    expect(verbs.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });
});

describe("the text function", () => {
  const t = createTexts("en", en);

  it("fills in values and chooses the plural", () => {
    expect(t("pods", { count: 1 })).toBe("1 Pod");
    expect(t("pods", { count: 3 })).toBe("3 Pods");
    expect(createTexts("ja", ja)("pods", { count: 1 })).toBe("Pod 1個");
    expect(t("error.at", { file: "a.ts", line: 3 })).toBe("a.ts, line 3");
  });

  it("gives a missing key itself, so that nothing is blank", () => {
    expect(t("no.such.key")).toBe("no.such.key");
  });
});
