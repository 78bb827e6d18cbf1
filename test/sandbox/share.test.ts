import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromFragment, toFragment } from "../../src/sandbox/share.ts";

describe("a sandbox in a link", () => {
  it("comes back as it went in", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          lab: fc.constantFrom("first", "rank"),
          seed: fc.nat(999_999_999),
          at: fc.option(fc.nat(5000), { nil: undefined }),
          manifest: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
          files: fc.option(
            fc.dictionary(fc.constantFrom("a.ts", "controllers/replicaset.ts"), fc.string(), {
              minKeys: 1,
            }),
            { nil: undefined },
          ),
        }),
        async (state) => {
          expect(await fromFragment(await toFragment(state))).toEqual({
            ...state,
            files: state.files && { ...state.files },
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is none without a lab, and loses only the edit if that is broken", async () => {
    expect(await fromFragment("")).toBeUndefined();
    expect(await fromFragment("#some-heading")).toBeUndefined();
    expect(await fromFragment("#lab=first&seed=7&step=3&edit=%%%")).toEqual({
      lab: "first",
      seed: 7,
      at: 3,
    });
    expect(await fromFragment("#lab=first&seed=-1")).toMatchObject({ seed: 1 });
  });

  it("takes no paths out of the simulator and no bomb", async () => {
    const files = { "x.html": "a", "a b.ts": "c" };
    expect(
      (await fromFragment(await toFragment({ lab: "x", seed: 1, files })))?.files,
    ).toBeUndefined();
    const bomb = await toFragment({ lab: "x", seed: 1, manifest: "a".repeat(10_000_000) });
    expect(await fromFragment(bomb)).toEqual({ lab: "x", seed: 1 });
  });
});
