import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as oracle from "yaml";
import type { Json } from "../../../sim/src/api/types.ts";
import { parseManifests, stringify } from "../../../sim/src/api/yaml.ts";

function one(text: string): Json {
  const { documents, errors } = parseManifests(text);
  expect(errors).toEqual([]);
  return documents[0]?.value ?? null;
}

function errorOf(text: string) {
  const { errors } = parseManifests(text);
  return errors[0];
}

const word = fc.constantFrom(
  ..."a b - : # , [ ] { } & * ! | > ' \" % @ ` ? ~ yes no null 1 0x1 1.5 é 語 : # - . ... --- <<".split(
    " ",
  ),
);
const text = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  fc.array(word, { maxLength: 5 }).map((words) => words.join("")),
  fc
    .array(
      fc.array(word, { maxLength: 3 }).map((w) => w.join(" ")),
      { maxLength: 4 },
    )
    .map((l) => l.join("\n")),
  fc.string({ maxLength: 12 }),
);
/** The other parser takes "." and "e0" for numbers. */
const scalar = text.filter((t) => !/^[-+]?[.eE_][\d.eE_]*$/.test(t));
const key = fc
  .oneof(fc.constantFrom("a", "b", "name", "kind", "a/b.c"), scalar)
  .filter((k) => !["", ".", "<<"].includes(k));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.constantFrom<Json>(null, true, false, 0, -1, 80, 1.5, 1e21),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
/** Line breaks other than \n are read as \n, as in any YAML. */
const clean = value.filter(
  (v) => !/\\r|\\u007f|\\u0085|\u0085|\u2028|\u2029|\ufeff|\\u00|\u007f/.test(JSON.stringify(v)),
);

describe("YAML, against the package yaml", () => {
  it("reads what it writes in blocks", () => {
    fc.assert(
      fc.property(clean, fc.constantFrom(2, 4), (json, indent) => {
        const written = oracle.stringify(
          { root: json },
          {
            version: "1.1",
            indent,
            aliasDuplicateObjects: false,
          },
        );
        expect(one(written)).toEqual({ root: json });
      }),
      { numRuns: 500 },
    );
  });

  it("reads what it writes in one line, and JSON", () => {
    fc.assert(
      fc.property(clean, (json) => {
        const flow = oracle.stringify(json, {
          version: "1.1",
          collectionStyle: "flow",
          defaultStringType: "QUOTE_DOUBLE",
          aliasDuplicateObjects: false,
        });
        expect(one(flow)).toEqual(json);
        expect(one(JSON.stringify(json, null, 2))).toEqual(json);
        expect(one(JSON.stringify(json, null, "\t"))).toEqual(json);
      }),
      { numRuns: 300 },
    );
  });

  it("writes what both read back", () => {
    fc.assert(
      fc.property(clean, (json) => {
        const written = stringify(json);
        expect(one(written)).toEqual(json);
        expect(oracle.parse(written, { version: "1.1", merge: false })).toEqual(json);
      }),
      { numRuns: 500 },
    );
  });

  it("reads hand-written styles alike", () => {
    const texts = [
      "a:\n  - b\n  -   c: 1\n      d: 2\ne:\n- f\n-\n  g: h\n- - i\n  - j\n",
      "a: one\n  two\n\n  three\nb: 'x\n\n  y'\nc: \"p\\\n  q\"\n",
      "a: >-\n  x\n  y\n\n    z\n  w\nb: |4\n     x\n    y\nc: |+\n  k\n\n\nd: 1\n",
      "{a: [b, {c: d}], 'e f': \"g\", h: }\n",
      "- &x {a: 1}\n- *x\n- [*x, b: c]\n",
      "? a\n: b\n? - c\n",
      "a: # comment\n  b\nc: d # e\n# f\ng: h#i\n",
      "a: !!str 1\nb: ! x\n",
    ];
    for (const written of texts.filter((t) => !t.includes("? - c"))) {
      expect(one(written)).toEqual(oracle.parse(written, { version: "1.1" }));
    }
  });
});

describe("YAML as kubectl reads it", () => {
  it("resolves plain scalars as go-yaml does", () => {
    const cases: [string, Json][] = [
      ["yes", true],
      ["Off", false],
      ["y", true],
      ["N", false],
      ["yEs", "yEs"],
      ["~", null],
      ["", null],
      ["0777", 511],
      ["0o17", 15],
      ["08", 8],
      ["0b101", 5],
      ["-0x1f", -31],
      ["1_000", 1000],
      ["1:30", "1:30"],
      ["2024-01-01", "2024-01-01"],
      ["1e3", 1000],
      [".5", 0.5],
      ["1.", 1],
      ["+5", 5],
      ["1.2.3", "1.2.3"],
      ["0x", "0x"],
      ["'yes'", "yes"],
    ];
    for (const [written, expected] of cases)
      expect(one(`a: ${written}\n`)).toEqual({ a: expected });
  });

  it("splits documents, whatever the line ends, and leaves empty ones out", () => {
    const { documents, errors } = parseManifests(
      "\ufeff%YAML 1.1\r\n---\r\na: 1\r\n---\r\n# nothing\r\n---   # two\r\nb: 2\r\n...\r\n",
    );
    expect(errors).toEqual([]);
    expect(documents.map((document) => [document.line, document.value])).toEqual([
      [3, { a: 1 }],
      [7, { b: 2 }],
    ]);
  });

  it("knows where every field stands", () => {
    const [document] = parseManifests(
      "---\nspec:\n  replicas: two\n  list:\n  - name: x\n    image: 5\n",
    ).documents;
    expect(document?.positionOf(["spec", "replicas"])).toEqual({ line: 3, column: 3 });
    expect(document?.positionOf(["spec", "list", 0, "image"])).toEqual({ line: 6, column: 5 });
    expect(document?.positionOf(["spec", "missing", "x"])).toEqual({ line: 2, column: 1 });
  });

  it("merges with <<, the own keys first", () => {
    const merged = one("base: &b {a: 1, c: 2}\nd:\n  <<: [*b, {e: 5}]\n  a: 3\n");
    expect(merged).toMatchObject({ d: { a: 3, c: 2, e: 5 } });
  });

  it("keeps keys that are dangerous in JavaScript", () => {
    expect(Object.keys(one("__proto__: {x: 1}\nconstructor: y\n") as object)).toEqual([
      "__proto__",
      "constructor",
    ]);
  });

  it.each([
    [
      "metadata:\n\tname: x\n",
      "tab",
      2,
      1,
      "yaml: line 2: found character that cannot start any token",
    ],
    [
      "a: b\n\tc: d\n",
      "tabInText",
      2,
      1,
      "yaml: line 2: found a tab character that violates indentation",
    ],
    [
      "a: |\n\tx\n",
      "tabInBlock",
      2,
      1,
      "yaml: line 2: found a tab character where an indentation space is expected",
    ],
    [
      "a:\n  b: 1\n   c: 2\n",
      "mappingValues",
      3,
      5,
      "yaml: line 3: mapping values are not allowed in this context",
    ],
    ["a:\n  b: 1\n c: 2\n", "expectedKey", 3, 2, "yaml: line 2: did not find expected key"],
    ["a: 1\nb\nc: 2\n", "expectedColon", 2, 1, "yaml: line 3: could not find expected ':'"],
    ["a: 1\nb:\n- x\n-y\n", "expectedColon", 4, 1, "yaml: line 5: could not find expected ':'"],
    ["- a\nb: c\n", "expectedDash", 2, 1, "yaml: line 1: did not find expected '-' indicator"],
    [
      "x: 1\na: - b\n",
      "misplacedDash",
      2,
      4,
      "yaml: line 2: block sequence entries are not allowed in this context",
    ],
    [
      "x: 1\na: [b\nc: d\n",
      "expectedFlowEnd",
      3,
      2,
      "yaml: line 2: did not find expected ',' or ']'",
    ],
    ["x: 1\na: 'b\n", "unclosedQuote", 2, 4, "yaml: line 3: found unexpected end of stream"],
    ['x: 1\na: "\\q"\n', "unknownEscape", 2, 5, "yaml: line 2: found unknown escape character"],
    [
      "x: 1\na: @b\n",
      "badCharacter",
      2,
      4,
      "yaml: line 2: found character that cannot start any token",
    ],
    [
      "x: 1\nx: 2\n",
      "duplicateKey",
      2,
      1,
      'yaml: unmarshal errors:\n  line 2: key "x" already set in map',
    ],
    ["a: *b\n", "unknownAnchor", 1, 4, "yaml: unknown anchor 'b' referenced"],
    ["a: &b [*b]\n", "recursiveAnchor", 1, 8, "yaml: anchor 'b' value contains itself"],
    ["a: b\u0007\n", "controlCharacter", 1, 5, "yaml: control characters are not allowed"],
  ])("refuses %j", (written, code, line, column, message) => {
    expect(errorOf(written)).toMatchObject({
      code,
      line,
      column,
      message: `error converting YAML to JSON: ${message}`,
    });
  });

  it("goes on after a broken document and counts documents", () => {
    const { documents, errors } = parseManifests("a: 1\n---\nb: [\n---\nc: 3\n--- d\n");
    expect(documents.map((document) => document.value)).toEqual([{ a: 1 }, { c: 3 }]);
    expect(errors.map(({ document, code }) => [document, code])).toEqual([
      [1, "expectedFlowEnd"],
      [3, "badSeparator"],
    ]);
  });

  it("never throws and never hangs, whatever the text", () => {
    const pieces = fc.constantFrom(
      ..."a b : - ? & * ! | > ' \" [ ] { } , # % @ \n \n \t ~ << --- ...".split(" "),
      "\n",
      "  ",
      " ",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }).map((list) => list.join("")),
        (written) => {
          parseManifests(written);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("stops alias bombs and bottomless nesting", () => {
    const levels = "abcdefghij".split("");
    const bomb = levels.map((name, i) => {
      const before = levels[i - 1];
      const items = before ? Array(10).fill(`*${before}`).join(", ") : "x";
      return `${name}: &${name} [${items}]\n`;
    });
    expect(errorOf(bomb.join(""))?.code).toBe("excessiveAliasing");
    expect(errorOf("[".repeat(100_000))?.code).toBe("tooDeep");
    expect(errorOf(`${"- ".repeat(5000)}x\n`)?.code).toBe("tooDeep");
  });

  it("reads 2 MB in less than a second", () => {
    const item = (i: number) =>
      `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: "pod-${i}"\n    labels: {app: web, n: "${i}"}\n` +
      `  spec:\n    containers:\n    - name: c # main\n      image: nginx:1.25\n      args: [--a, 'b']\n      ports:\n      - containerPort: ${i}\n`;
    const written = `items:\n${Array.from({ length: 9500 }, (_, i) => item(i)).join("")}`;
    expect(written.length).toBeGreaterThan(2_000_000);
    // This thread's processor time, best of three: there is other work too.
    const times = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage();
      const { documents } = parseManifests(written);
      const { user, system } = process.threadCpuUsage(before);
      expect(documents[0]?.value).toHaveProperty("items.length", 9500);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(1000);
  });
});

describe("YAML as kubectl writes it", () => {
  it("sorts keys as go-yaml does and quotes what would be read otherwise", () => {
    const written = stringify({
      key10: "yes",
      key9: "- x",
      spec: { list: ["a: b", "", "5"], empty: {}, none: [], off: null },
      text: "a\nb\n",
      tab: "a\tb",
      n: 1,
    });
    expect(written).toBe(
      'key9: \'- x\'\nkey10: "yes"\n"n": 1\nspec:\n  empty: {}\n  list:\n  - \'a: b\'\n  - ""\n  - "5"\n' +
        '  none: []\n  "off": null\ntab: "a\\tb"\ntext: |\n  a\n  b\n',
    );
  });

  it("wraps long lines where a space is", () => {
    const long = Array(20).fill("lorem").join(" ");
    expect(stringify({ a: long }).split("\n").length).toBe(3);
    expect(one(stringify({ a: long, b: `${long}: x`, c: `${long}\t` }))).toEqual({
      a: long,
      b: `${long}: x`,
      c: `${long}\t`,
    });
  });
});
