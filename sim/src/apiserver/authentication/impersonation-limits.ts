/**
 * What the narrow modes of impersonation refuse to everybody, whatever the
 * rules say. The old mode does not: it must go on as it was.
 * Models: apiserver/pkg/endpoints/filters/impersonation/mode.go @ v1.36
 */
import { quote } from "../../api/go-text.ts";
import type { Attributes } from "../authorization/rule.ts";
import { refusal } from "../authorization/stage.ts";
import { MASTERS, type UserInfo } from "./user.ts";

export function limitGroups(
  caller: UserInfo,
  groups: readonly string[],
  a: Attributes,
): void {
  if (groups.includes("")) {
    const why = "impersonating the empty string group is not allowed";
    throw refusal(caller.name, a, why);
  }
  if (!groups.includes(MASTERS)) return;
  const why = `impersonating the ${MASTERS} group is not allowed`;
  throw refusal(caller.name, { ...a, name: MASTERS }, why);
}

export function limitExtra(
  caller: UserInfo,
  extra: { readonly [key: string]: readonly string[] },
  a: Attributes,
): void {
  for (const [key, values] of Object.entries(extra)) {
    const why = wrongKey(key) || wrongValues(values);
    if (why) throw refusal(caller.name, a, why);
  }
}

function wrongKey(key: string): string {
  if (key === "") {
    return "impersonating the empty string key in extra is not allowed";
  }
  const [, domain, path] = /^([^/]+)\/(.+)$/s.exec(key) ?? [];
  if (!domain || !path) {
    const form = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${quote(key)}: ${form}`;
  }
  return key === key.toLowerCase()
    ? ""
    : `impersonating a non-lowercase key in extra is not allowed: ${quote(key)}`;
}

function wrongValues(values: readonly string[]): string {
  if (values.length === 0) {
    return "impersonating empty values in extra is not allowed";
  }
  return values.includes("")
    ? "impersonating the empty string value in extra is not allowed"
    : "";
}
