import { describe, expect, it } from "vitest";
import { evaluateCel } from "../../../sim/src/api/cel/cel.ts";

const names = {
  object: {
    spec: { replicas: 3, template: { labels: { app: "web" } }, ports: [80, 443] },
    metadata: { name: "web", labels: { "a.b/c": "d" } },
  },
};

const cases: [string, unknown][] = [
  ["1 + 2 * 3", 7n],
  ["7 / 2", 3n],
  ["7.0 / 2.0", 3.5],
  ["-7 % 3", -1n],
  ["object.spec.replicas <= 5 && object.metadata.name == 'web'", true],
  ["object.spec.ports.all(p, p < 1000)", true],
  ["object.spec.ports.exists_one(p, p == 80)", true],
  ["object.spec.ports.map(p, p + 1)", [81n, 444n]],
  ["object.spec.ports.filter(p, p > 100)", [443]],
  ["has(object.spec.strategy)", false],
  ["has(object.spec.template.labels.app) ? 'yes' : 'no'", "yes"],
  ["object.metadata.labels['a.b/c']", "d"],
  ["'a.b/c' in object.metadata.labels", true],
  ["80 in object.spec.ports", true],
  ["object.?spec.?strategy.orValue('none')", "none"],
  ["object.spec.?replicas.orValue(1)", 3n],
  ["'web-1'.matches('^[a-z]+-[0-9]$')", true],
  ["'a,b'.split(',').join('-')", "a-b"],
  ["size('日本')", 2n],
  ["quantity('1Gi').isGreaterThan(quantity('1G'))", true],
  ["true || 1 / 0 == 1", true],
  ["1 / 0 == 1 || true", true],
  ["false && object.nope", false],
  ["{'a': 1}.a + [1, 2][1]", 3n],
  ['r"\\d" + "\\n"', "\\d\n"],
  ["object.spec.ports == [80, 443]", true],
];

describe("the expression language", () => {
  for (const [text, expected] of cases) {
    it(`works out ${text}`, () => {
      expect(evaluateCel(text, names)).toEqual(expected);
    });
  }

  const errors: [string, string][] = [
    ["object.nope", "no such key: nope"],
    ["1 / 0", "division by zero"],
    ["object.spec.ports[9]", "index out of bounds: 9"],
    ["'a' + 1", "no such overload"],
    ["nope", "undeclared reference"],
    ["1 +", "Syntax error"],
  ];
  for (const [text, message] of errors) {
    it(`says what is wrong with ${text}`, () => {
      expect(() => evaluateCel(text, names)).toThrow(message);
    });
  }
});
