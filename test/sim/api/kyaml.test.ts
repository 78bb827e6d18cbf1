/** KYAML: what kubectl 1.35 wrote of the same values, and that it reads back. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goSortedJson } from "../../../sim/src/api/go-text.ts";
import type { Json } from "../../../sim/src/api/types.ts";
import { parseManifests, stringifyKyaml } from "../../../sim/src/api/yaml.ts";

const keysOf = (keys: readonly string[]) =>
  stringifyKyaml(Object.fromEntries(keys.map((key) => [key, null])))
    .split("\n")
    .slice(2, -2)
    .map((line) => line.replace(": null,", "").trim());

describe("KYAML", () => {
  it("shares the brackets of lists that hold only maps and lists", () => {
    const list = ["a", 1, 1.5, { a: "b" }, [2, [3]], {}, [], null, true];
    const value = { list, nested: { c: [{ d: "e" }, { g: "g" }], m: [[1], []] } };
    expect(stringifyKyaml(value)).toBe(`---
{
  list: [
    "a",
    1,
    1.5,
    {
      a: "b",
    },
    [
      2,
      [
        3,
      ],
    ],
    {},
    [],
    null,
    true,
  ],
  nested: {
    c: [{
      d: "e",
    }, {
      g: "g",
    }],
    m: [[
      1,
    ], []],
  },
}
`);
  });

  it("writes each line of a text on its own, and keeps the spaces before it", () => {
    const data = { a: "multi\nline\n", c: "tab\there", e: " lead\n trail ", m: "\n\nx" };
    expect(stringifyKyaml({ data })).toBe(`---
{
  data: {
    a: "\\
       multi\\n\\
       line\\n\\
      ",
    c: "tab\there",
    e: "\\
      \\ lead\\n\\
      \\ trail \\
      ",
    m: "\\
       \\n\\
       \\n\\
       x\\
      ",
  },
}
`);
  });

  it("quotes keys that could be something else, and no others", () => {
    const quoted = ["", "-a", ".", ".inf", "0o7", "0x1", "1", "1:30", "1_0", "1e3", "2001-01-01"];
    const more = ["<<", "=", "True", "a:b", "f", "no", "null", "on", "with space", "y", "~"];
    const all = [...quoted, ...more].toSorted();
    expect(keysOf(all)).toEqual(all.map((key) => `"${key}"`));
    const plain = ["2001-13-01", "3e", "_", "_x", "a-b", "a.b", "a/b", "a_b", "e1", "tru", "日本"];
    expect(keysOf(plain)).toEqual(plain);
  });

  it("escapes what cannot be printed", () => {
    expect(stringifyKyaml('quote" \\ é 日本 \u0001 \u00a0 😀 \u{e0001}')).toBe(
      '---\n"quote\\" \\\\ é 日本 \\x01 \\_ 😀 \\U000e0001"\n',
    );
  });

  it("is YAML that says the same", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        const { documents, errors } = parseManifests(stringifyKyaml(plain));
        expect(errors).toEqual([]);
        expect(documents[0]!.value).toEqual(plain);
      }),
    );
  });
});

describe("JSON of a map", () => {
  it("has keys in Go's order, numbers among them", () => {
    const value = { 9: 1, 10: [], "-": { b: {}, a: undefined } };
    expect(goSortedJson(value)).toBe('{"-":{"b":{}},"10":[],"9":1}');
    expect(goSortedJson(value, 2)).toBe('{\n  "-": {\n    "b": {}\n  },\n  "10": [],\n  "9": 1\n}');
  });
});
