/** Replays rbac-rule-allows.json: does one rule allow one request? */
import { type PolicyRule, ruleAllows } from "../../sim/src/apiserver/authorization/rule.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  rule: PolicyRule;
  verb: string;
  group?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  path?: string;
  allowed: boolean;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<Case>(file).entries()) {
    const { rule, allowed, group = "", resource = "", ...rest } = c;
    const asked = c.path ?? `${group}/${resource} ${c.subresource ?? ""}`;
    tally.same(
      `#${i} ${c.verb} ${asked}`,
      () => ruleAllows(rule, { group, resource, ...rest }),
      allowed,
    );
  }
  return tally.result();
}
