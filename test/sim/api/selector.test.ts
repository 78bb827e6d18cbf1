import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  everything,
  labelSelector,
  labelSelectorText,
  nothing,
  parseFieldSelector,
  parseLabelSelector,
  selectorFor,
  setSelector,
} from "../../../sim/src/api/selector.ts";

describe("label selectors", () => {
  it("from objects: absent matches nothing, empty everything", () => {
    expect(labelSelector(undefined).matches({ a: "b" })).toBe(false);
    expect(labelSelector({}).matches({})).toBe(true);
    expect(everything.matches(undefined)).toBe(true);
    expect(nothing.matches({})).toBe(false);
  });

  it("are compiled once an object", () => {
    const object = { matchLabels: { app: "web" } };
    expect(selectorFor(object)).toBe(selectorFor(object));
    expect(selectorFor(object).matches({ app: "web" })).toBe(true);
    expect(selectorFor(undefined)).toBe(nothing);
  });

  it("from objects print and match as from text", () => {
    const selector = labelSelector({
      matchLabels: { tier: "front", app: "web" },
      matchExpressions: [
        { key: "n", operator: "NotIn", values: ["2", "1"] },
        { key: "x", operator: "Exists" },
        { key: "y", operator: "DoesNotExist" },
      ],
    });
    expect(selector.toString()).toBe("app=web,n notin (1,2),tier=front,x,!y");
    const labels = { app: "web", tier: "front", x: "" };
    expect(selector.matches(labels)).toBe(true);
    expect(selector.matches({ ...labels, n: "1" })).toBe(false);
    expect(selector.matches({ ...labels, y: "" })).toBe(false);
    expect(setSelector({ app: "web" }).matches(labels)).toBe(true);
  });

  it("refuse what upstream refuses", () => {
    const bad = { matchExpressions: [{ key: "a", operator: "Like", values: [] }] };
    expect(() => labelSelector(bad)).toThrow('"Like" is not a valid label selector operator');
    expect(labelSelectorText(bad)).toBe("<error>");
    expect(labelSelectorText({})).toBe("<none>");
    expect(() => labelSelector({ matchExpressions: [{ key: "a", operator: "In" }] })).toThrow(
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    );
    expect(() => parseLabelSelector("a in (b c)")).toThrow("found 'c', expected: ',' or ')'");
    expect(() => parseLabelSelector("a in (b")).toThrow("found '', expected: ',' or ')'");
  });

  it("read words as keys and values where they may be", () => {
    expect(parseLabelSelector("in in (notin)").matches({ in: "notin" })).toBe(true);
    expect(parseLabelSelector("n > 9007199254740993").matches({ n: "9007199254740994" })).toBe(
      true,
    );
    expect(parseLabelSelector("constructor").matches({})).toBe(false);
    expect(parseLabelSelector("!constructor").matches({})).toBe(true);
  });

  it("print what parses to the same", () => {
    const name = fc.constantFrom("a", "b", "app", "x.io/y");
    const value = fc.constantFrom("", "1", "web", "a-b");
    const term = fc.oneof(
      fc.tuple(name, fc.constantFrom("=", "==", "!="), value).map((t) => t.join("")),
      fc
        .tuple(
          name,
          fc.constantFrom("in", "notin"),
          fc.array(
            value.filter((v) => v !== ""),
            { minLength: 1 },
          ),
        )
        .map(([key, operator, values]) => `${key} ${operator} (${values.join(",")})`),
      name,
      name.map((key) => `!${key}`),
    );
    const labels = fc.dictionary(name, value);
    fc.assert(
      fc.property(fc.array(term), labels, (terms, set) => {
        const selector = parseLabelSelector(terms.join(","));
        const again = parseLabelSelector(selector.toString());
        expect(again.toString()).toBe(selector.toString());
        expect(again.matches(set)).toBe(selector.matches(set));
      }),
    );
  });
});

describe("field selectors", () => {
  it("match and print", () => {
    const selector = parseFieldSelector("status.phase!=Running,spec.nodeName==n1");
    expect(selector.toString()).toBe("spec.nodeName=n1,status.phase!=Running");
    const pod: Record<string, string> = { "spec.nodeName": "n1", "status.phase": "Pending" };
    expect(selector.matches((field) => pod[field] ?? "")).toBe(true);
    expect(parseFieldSelector("a=").matches(() => "")).toBe(true);
    expect(parseFieldSelector("").empty).toBe(true);
    expect(parseFieldSelector("=,!=").empty).toBe(true);
    expect(`${parseFieldSelector("a=1,==")}`).toBe("a=1");
  });

  it("escape, and refuse what is not escaped", () => {
    expect(parseFieldSelector("a=b\\,c\\=d").terms).toEqual([
      { field: "a", operator: "=", value: "b,c=d" },
    ]);
    expect(() => parseFieldSelector("a=b\\x")).toThrow(
      "invalid field selector: invalid escape sequence: \\x",
    );
    expect(() => parseFieldSelector("a")).toThrow("invalid selector: 'a'; can't understand 'a'");
  });
});
