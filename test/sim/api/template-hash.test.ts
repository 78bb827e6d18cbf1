import { describe, expect, it } from "vitest";
import { fnv1aText, fnv1Text } from "../../../sim/src/api/hash.ts";
import { schemaTexts } from "../../../sim/src/api/schema/texts.ts";
import { Schemas } from "../../../sim/src/api/schema.ts";
import { parseGoTypes, printTemplate } from "../../../sim/src/api/template-hash/go-print.ts";
import { goTypes } from "../../../sim/src/api/template-hash/go-types.ts";
import { otherGoTypes } from "../../../sim/src/api/template-hash/go-types-others.ts";
import { podTemplateHash, revisionHash } from "../../../sim/src/api/template-hash.ts";

const allGoTypes = goTypes + otherGoTypes.trimStart();

describe("the hash of a Pod template", () => {
  it("knows the same fields as the schemas of the kinds, by Go's names", () => {
    const schemas = new Schemas(schemaTexts);
    const known = new Set(schemas.names());
    const table = parseGoTypes(allGoTypes);
    const jsonNames = (struct: string): string[] =>
      (table.get(struct) ?? []).flatMap((field) =>
        field.embedded ? jsonNames(field.type) : [field.json],
      );
    let compared = 0;
    for (const name of table.keys()) {
      if (!known.has(name)) continue;
      const fields = [...schemas.struct(name).fields.keys()];
      expect([name, jsonNames(name).toSorted()]).toEqual([name, fields.toSorted()]);
      compared++;
    }
    expect(compared).toBeGreaterThan(90);
  });

  it("has a struct for every type that is not a plain one", () => {
    const table = parseGoTypes(allGoTypes);
    const structs = [...table.values()].flat().map((field) => field.type);
    const named = structs.filter((type) =>
      /(Source|\w(?<!Constraint|Rule)Action|Context|Term|Selector|Projection)$/.test(type),
    );
    for (const type of named) expect(table.has(type.replace(/^\*|^\[\]/, ""))).toBe(true);
  });

  it("tells the structs that it prints by value with those that are always there", () => {
    const table = parseGoTypes(goTypes);
    const whole = parseGoTypes(allGoTypes);
    const byValue = [...table.values()].flat().filter(({ type }) => whole.has(type));
    expect(byValue.filter(({ type }) => !table.has(type))).toEqual([]);
  });

  it("prints quantities as Go keeps them", () => {
    const printed = printTemplate({
      spec: { overhead: { a: "1.1Mi", b: "0", c: "-2" }, containers: [] },
    });
    expect(printed).toContain(
      "a:{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} " +
        "d:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)false " +
        "abs:(big.nat)[1153433600000000]} scale:(inf.Scale)9}} s:(string) Format:(resource.Format)BinarySI}",
    );
    expect(printed).toContain("s:(string)0 Format:(resource.Format)DecimalSI}");
    expect(printed).toContain("Containers:([]v1.Container)[]");
  });

  it("changes with the image and with the collision count", () => {
    const template = (image: string) => ({ spec: { containers: [{ name: "c", image }] } });
    const hash = podTemplateHash(template("a"));
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5,10}$/);
    expect(podTemplateHash(template("b"))).not.toBe(hash);
    expect(podTemplateHash(template("a"), 0)).not.toBe(hash);
  });

  it("is built on FNV as published", () => {
    expect(fnv1aText("")).toBe(0x811c9dc5);
    expect(fnv1aText("foobar")).toBe(0xbf9cf968);
    expect(fnv1Text("foobar")).toBe(0x31f0b262);
    expect(revisionHash("{}", 1)).not.toBe(revisionHash("{}"));
  });
});
