/** Ranges from which Services get their addresses. */
import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, sent } from "./kinds-support.ts";

const cidrs = (...all: string[]) =>
  sent("networking.k8s.io/v1", "ServiceCIDR", { spec: { cidrs: all } });
const [four, six] = ["10.96.0.0/12", "fd00::/108"];

describe("a ServiceCIDR", () => {
  it.each<[string[], string]>([
    [[four], ""],
    [[four, six], ""],
    [[], "spec.cidrs: Required value: at least one CIDR required"],
    [
      [four, six, four],
      'spec.cidrs: Invalid value: {"CIDRs":["10.96.0.0/12","fd00::/108","10.96.0.0/12"]}: may only hold up to 2 values',
    ],
    [
      [four, "10.0.0.0/24"],
      'spec.cidrs: Invalid value: {"CIDRs":["10.96.0.0/12","10.0.0.0/24"]}: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
    [
      ["10.96.0.1/12"],
      'spec.cidrs[0]: Invalid value: "10.96.0.1/12": must not have bits set beyond the prefix length',
    ],
  ])("%j", (all, text) => {
    expect(complaint(cidrs(...all))).toBe(text);
  });

  it("stays as it is, but for a second family", () => {
    expect(changeComplaint(cidrs(four, six), cidrs(four))).toBe("");
    expect(changeComplaint(cidrs("10.0.0.0/24"), cidrs(four))).toBe(
      'spec.cidrs[0]: Invalid value: "10.0.0.0/24": field is immutable',
    );
    expect(changeComplaint(cidrs(four), cidrs(four, six))).toBe(
      'spec.cidrs: Invalid value: ["10.96.0.0/12"]: field is immutable',
    );
  });
});
