/** Every code sample of the lessons, and every start and solution, is right as it stands. */
import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pages, samplesOf } from "../../src/lib/lesson-text.ts";
import { faultsOf, overlayOf, types } from "./samples.ts";

const all = pages().flatMap(({ path, body }) =>
  samplesOf(body).map(({ language, code }, i) => ({ name: `${path} ${i + 1}`, language, code })),
);

it.each(all)("sample $name ($language) is right", async ({ language, code }) => {
  expect(await faultsOf(language, code)).toEqual([]);
});

const folders = [
  ...new Set(
    globSync("content/*/*/{start,solution}/*/**/*.ts").map((file) =>
      file.split("/").slice(0, 5).join("/"),
    ),
  ),
].sort();

it.each(folders)("%s type-checks over the simulator", (folder) => {
  expect(types.check(overlayOf(folder, globSync(`${folder}/**/*.ts`)))).toEqual([]);
});

describe("the check finds", () => {
  it.each([
    ["ts", 'import { CLUSTER } from "./nowhere.ts";', "nowhere.ts"],
    ["ts", "export const a: number = `three`;", "not assignable"],
    ["yaml", "apiVersion: apps/v1\nkind: Deploymnt\nmetadata:\n  name: web\n", "Deploymnt"],
    ["yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec: {}\n", "containers"],
    ["json", "{ a: 1 }", "SyntaxError"],
    ["toml", "[plugins.", "Invalid TOML"],
    ["sql", "SELECT nme FROM customers;", "nme"],
    ["sh", "if true; do", "Syntax error"],
    ["cobol", "MOVE 1 TO A.", "Nothing checks"],
  ])("a mistake in %s: %s", async (language, code, says) => {
    expect((await faultsOf(language, code)).join("\n")).toContain(says);
  });

  it("a type that an edit breaks for the file that imports it", () => {
    const text = "export const deletionOrder = 1;\n";
    expect(types.check({ "controllers/shared/deletion-order.ts": text }).join("\n")).toMatch(
      /replicaset|adoption|controllers\//,
    );
  });

  it("nothing wrong in good samples", async () => {
    const good: [string, string][] = [
      [
        "ts",
        'import type { Pod } from "./api/kinds/pod.ts";\nexport const name = (p: Pod) => p.metadata.name;',
      ],
      ["yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: b\n"],
      ["sh", "kubectl get pods -o wide | grep web"],
    ];
    for (const [language, code] of good) expect(await faultsOf(language, code)).toEqual([]);
  });
});
