/** Alignment and JSONPath: laws and examples. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPath } from "../../../sim/src/kubectl/print/jsonpath.ts";
import { align, DESCRIBE_TABS } from "../../../sim/src/kubectl/print/tabs.ts";
import { longTime, parseDuration } from "../../../sim/src/kubectl/time.ts";

describe("align", () => {
  it("ends a column's block where a line has no such cell", () => {
    const text = "a\tb\nlonger\tb\nalone\nx\ty";
    expect(align(text, DESCRIBE_TABS)).toBe("a       b\nlonger  b\nalone\nx  y");
  });

  it("keeps every cell, whatever the text", () => {
    const cell = fc.string({ maxLength: 8 }).filter((text) => !/[\t\n\r]/.test(text));
    const lines = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 });
    fc.assert(
      fc.property(lines, (rows) => {
        const text = rows.map((cells) => cells.join("\t")).join("\n");
        const out = align(text, DESCRIBE_TABS).split("\n");
        return rows.every((cells, i) => cells.every((one) => out[i]!.includes(one)));
      }),
    );
  });
});

describe("jsonPath", () => {
  const data = {
    items: [
      { name: "a", ready: true, ports: [1, 2], labels: { "x.y/z": "1" } },
      { name: "b", ready: false, ports: [3] },
    ],
  };
  it.each([
    ["{.items[*].name}", "a b"],
    ["{.items[0].ports[-1]}", "2"],
    ["{.items[?(@.ready==true)].name}", "a"],
    ['{range .items[*]}{.name}{"\\t"}{.ports[*]}{"\\n"}{end}', "a\t1 2\nb\t3\n"],
    ["{..name}", "a b"],
    ["{.items[0].labels.x\\.y/z}", "1"],
    ["{.items[0].ports}", "[1,2]"],
    ["names: {.items[:1].name}", "names: a"],
  ])("%s", (template, expected) => expect(jsonPath(template, data)).toBe(expected));
});

describe("times", () => {
  it("are written as RFC 1123 with a numeric zone", () => {
    expect(longTime("2026-11-30T07:17:06Z")).toBe("Mon, 30 Nov 2026 07:17:06 +0000");
  });

  it("are read as Go reads durations", () => {
    expect(parseDuration("1m30s", "timeout")).toBe(90_000);
    expect(() => parseDuration("15", "timeout")).toThrow("missing unit in duration");
  });
});
