import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256, sha512Hex } from "../../../sim/src/api/sha2.ts";
import { contains, formatIp, parseCidr, parseIp } from "../../../sim/src/network/ip.ts";
import { lookup } from "../../../sim/src/network/route.ts";

describe("addresses", () => {
  it("read back what they print", () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(formatIp(parseIp(text)!)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        expect(parseIp(formatIp({ family: 6, value }))).toEqual({ family: 6, value });
      }),
    );
    expect(formatIp(parseIp("fd00:0:0:0:0:0:0:1")!)).toBe("fd00::1");
    for (const bad of [
      "1.2.3",
      "1.2.3.4.5",
      "256.1.1.1",
      "01.2.3.4",
      "a.b.c.d",
      "1..2.3",
      "::1::",
    ]) {
      expect(parseIp(bad)).toBeUndefined();
    }
  });

  it("lie in their own prefix", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (text, length) => {
        expect(contains(parseCidr(`${text}/${length}`)!, parseIp(text)!)).toBe(true);
      }),
    );
  });
});

describe("routes", () => {
  it("take the longest prefix", () => {
    const routes = ["0.0.0.0/0", "10.0.0.0/8", "10.244.1.0/24"].map((destination, i) => ({
      ...{ destination, device: `eth${i}` },
    }));
    expect(lookup(routes, "10.244.1.9")?.device).toBe("eth2");
    expect(lookup(routes, "10.9.9.9")?.device).toBe("eth1");
    expect(lookup(routes, "8.8.8.8")?.device).toBe("eth0");
    expect(lookup(routes.slice(1), "8.8.8.8")).toBeUndefined();
  });
});

describe("hashes", () => {
  it("are those of the standard", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const hash = (name: string) => createHash(name).update(text).digest("hex");
        expect(Buffer.from(sha256(text)).toString("hex")).toBe(hash("sha256"));
        expect(sha512Hex(text)).toBe(hash("sha512"));
      }),
      { numRuns: 50 },
    );
  });
});
