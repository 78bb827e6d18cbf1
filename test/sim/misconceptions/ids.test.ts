/** The names of the tests beside this one carry ids of content/misconceptions.yaml, each of an entry that is there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../..");
const { entries } = parse(readFileSync(join(root, "content/misconceptions.yaml"), "utf8")) as {
  entries: { id: string }[];
};
const tests = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
  .join("\n");

it("holds a test for every entry", () => {
  const missing = entries.map(({ id }) => id).filter((id) => !tests.includes(`"${id}: `));
  expect(missing).toEqual([]);
});
