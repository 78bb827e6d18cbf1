/**
 * Names, groups and conversion of a definition.
 * Models: apiextensions-apiserver/pkg/apis/apiextensions/validation/
 *         validation.go, pkg/apihelpers/helpers.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../field-error.ts";
import { dns1035Label, dns1123Subdomain } from "../../names.ts";
import type { JsonObject } from "../../types.ts";
import { obj, str, strings } from "../access.ts";
import type { Obj } from "../definition.ts";
import { clientConfigErrors } from "../webhook-client.ts";
import { versionErrors } from "../webhook-rules.ts";

export function groupErrors(group: string): FieldError[] {
  const path = "spec.group";
  if (!group) return [required(path)];
  const wrong = dns1123Subdomain(group).join(",");
  if (wrong) return [invalid(path, group, wrong)];
  if (group.includes(".")) return [];
  return [invalid(path, group, "should be a domain with at least one dot")];
}

/** Names that a definition must have, and may only be granted in the status. */
export function neededNames(names: JsonObject): FieldError[] {
  return ["plural", "singular", "kind", "listKind"]
    .filter((field) => !names[field])
    .map((field) => required(`spec.names.${field}`));
}

export function nameErrors(names: JsonObject, path: string): FieldError[] {
  const label = (field: string, mixed: boolean): FieldError[] => {
    const name = str(names[field]);
    const text = dns1035Label(mixed ? name.toLowerCase() : name).join(",");
    if (!name || !text) return [];
    const before = mixed
      ? "may have mixed case, but should otherwise match: "
      : "";
    return [invalid(`${path}.${field}`, name, before + text)];
  };
  const each = (field: string) =>
    strings(names[field]).flatMap((name, i) => {
      const text = dns1035Label(name).join(",");
      return text ? [invalid(`${path}.${field}[${i}]`, name, text)] : [];
    });
  const { kind, listKind } = names;
  const alike = "kind and listKind may not be the same";
  return [
    ...["plural", "singular"].flatMap((field) => label(field, false)),
    ...["kind", "listKind"].flatMap((field) => label(field, true)),
    ...each("shortNames"),
    ...(kind && kind === listKind
      ? [invalid(`${path}.listKind`, listKind, alike)]
      : []),
    ...each("categories"),
  ];
}

export function conversionErrors(
  { strategy, webhook }: JsonObject,
  knownVersion: boolean,
): FieldError[] {
  const path = "spec.conversion";
  const known = ["None", "Webhook"];
  const errors: FieldError[] = [];
  if (!strategy) errors.push(required(`${path}.strategy`));
  else if (!known.includes(str(strategy))) {
    errors.push(notSupported(`${path}.strategy`, strategy, known));
  }
  const { clientConfig, conversionReviewVersions } = obj(webhook);
  const versions = strings(conversionReviewVersions);
  const at = `${path}.webhookClientConfig`;
  const inVersions = `${path}.conversionReviewVersions`;
  if (strategy === "Webhook") {
    const why = "required when strategy is set to Webhook";
    return [
      ...errors,
      ...(clientConfig
        ? clientConfigErrors(obj(clientConfig), at)
        : [required(at, why)]),
      ...versionErrors(versions, inVersions, knownVersion, ""),
    ];
  }
  const why = "should not be set when strategy is not set to Webhook";
  if (clientConfig) errors.push(forbidden(at, why));
  if (versions.length > 0) errors.push(forbidden(inVersions, why));
  return errors;
}

const APPROVED = "api-approved.kubernetes.io";
const SEE = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Groups of Kubernetes itself need somebody's word for it. */
export function approvalErrors(crd: Obj, old?: Obj): FieldError[] {
  const group = str(obj(crd.spec).group);
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return [];
  const value = crd.metadata.annotations?.[APPROVED] ?? "";
  const before = old?.metadata.annotations?.[APPROVED] ?? "";
  if (old && value === before) return [];
  if (value.startsWith("unapproved")) return [];
  if (/^[A-Za-z][\w+.-]*:\/\/[^/]+/.test(value)) return [];
  const path = `metadata.annotations[${APPROVED}]`;
  const must = `protected groups must have approval annotation "${APPROVED}"`;
  if (!value) return [required(path, `${must}, ${SEE}`)];
  const how = `with either a URL or a reason starting with "unapproved"`;
  return [invalid(path, value, `${must} ${how}, ${SEE}`)];
}
