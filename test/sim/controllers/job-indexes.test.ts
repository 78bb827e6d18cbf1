/** Sets of completion indexes, where they are not as one would write them. */
import { describe, expect, it } from "vitest";
import { indexesText, parseIndexes } from "../../../sim/src/controllers/job/indexes.ts";
import { metSuccessRule } from "../../../sim/src/controllers/job/success-policy.ts";

describe("completion indexes", () => {
  const read = (text: string) => indexesText(parseIndexes(text, 10));

  it("become one interval only where they touch", () => {
    expect(read("0,1,2-3,5")).toBe("0-3,5");
    expect(read("0-3,2-5")).toBe("0-3,2-5");
    expect(read("2,2")).toBe("2,2");
    expect(read("4,1")).toBe("4,1");
    expect(read("3-1,5")).toBe("3,5");
  });
});

describe("a success policy", () => {
  const met = (rule: object, succeeded: string) =>
    metSuccessRule({ rules: [rule] }, 5, parseIndexes(succeeded, 5));

  it("is not met by indexes that the Job does not have", () => {
    expect(met({ succeededIndexes: "5-7" }, "0-4")).toBeUndefined();
    expect(met({ succeededIndexes: "x" }, "0-4")).toBeUndefined();
  });

  it("is met by all its indexes, whatever the count", () => {
    expect(met({ succeededIndexes: "3-9", succeededCount: 3 }, "3,4")).toBe(
      "Matched rules at index 0",
    );
    expect(met({ succeededIndexes: "0-3", succeededCount: 3 }, "0,1")).toBeUndefined();
  });

  it("is not met while nothing has succeeded", () => {
    expect(met({ succeededCount: 0 }, "")).toBeUndefined();
  });
});
