import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addQuantities,
  bytes,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  milliCpu,
  milliValue,
  negateQuantity,
  parseQuantity,
  subtractQuantities,
  value,
} from "../../../sim/src/api/quantity.ts";

const suffixes = ["", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E-2"];
const texts = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.option(fc.nat({ max: 9999 })),
    fc.constantFrom(...suffixes),
  )
  .map(
    ([sign, whole, part, suffix]) => `${sign}${whole}${part === null ? "" : `.${part}`}${suffix}`,
  );

describe("quantities", () => {
  it("keep the text where the API server does", () => {
    expect(canonicalQuantity("+5")).toBe("+5");
    expect(canonicalQuantity("1.500")).toBe("1.500");
    expect(canonicalQuantity("007")).toBe("007");
    expect(canonicalQuantity("1024Ki")).toBe("1Mi");
    expect(canonicalQuantity(" 1.5 ")).toBe("1500m");
  });

  it("read oddities as upstream does", () => {
    expect(canonicalQuantity("m")).toBe("0");
    expect(canonicalQuantity("-")).toBe("0");
    expect(() => parseQuantity("e-10")).toThrow("unable to parse numeric part of quantity");
    expect(() => parseQuantity(".Ei")).toThrow("unable to parse numeric part of quantity");
    expect(canonicalQuantity("8Ei")).toBe("9223372036854775807");
    expect(canonicalQuantity("0.1Ki")).toBe("102400m");
  });

  it("survive exponents nobody means", () => {
    const huge = parseQuantity("1e999999999");
    expect(value(huge)).toBe(2n ** 63n - 1n);
    expect(compareQuantities(huge, parseQuantity("1Ei"))).toBe(1);
  });

  it("parse again from their canonical form, equal in value", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const quantity = parseQuantity(text);
        const again = parseQuantity(formatQuantity(quantity));
        expect(compareQuantities(quantity, again)).toBe(0);
      }),
    );
  });

  it("add and subtract like numbers", () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const [a, b] = [parseQuantity(left), parseQuantity(right)];
        const sum = addQuantities(a, b);
        expect(compareQuantities(sum, addQuantities(b, a))).toBe(0);
        expect(compareQuantities(subtractQuantities(sum, b), a)).toBe(0);
        expect(compareQuantities(addQuantities(a, negateQuantity(a)), parseQuantity("0"))).toBe(0);
      }),
    );
  });

  it("round positive amounts up", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const quantity = parseQuantity(text);
        fc.pre(quantity.unscaled > 0n);
        expect(value(quantity) * 1000n).toBeGreaterThanOrEqual(milliValue(quantity) - 1000n);
        expect(value(quantity)).toBeGreaterThan(0n);
      }),
    );
  });

  it("come as plain numbers for the scheduler", () => {
    expect(milliCpu("250m")).toBe(250);
    expect(milliCpu(2)).toBe(2000);
    expect(milliCpu(undefined)).toBe(0);
    expect(bytes("128Mi")).toBe(128 * 1024 * 1024);
    expect(() => bytes("128mb")).toThrow("regular expression");
  });
});
