/**
 * Values as upstream's internal structs print them in errors: fields by their
 * Go names, the empty ones too.
 * Models:     pkg/apis/core/types.go, encoding/json, ErrorBody of
 *             apimachinery/pkg/util/validation/field/errors.go @ v1.36
 */
import { schemaTexts } from "../schema/texts.ts";
import type { Field, TypeRef } from "../schema.ts";
import { Schemas } from "../schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { obj } from "./access.ts";

/** Of a struct whose fields stand in the order of the API's. */
export function internalJson(struct: string, value: JsonObject): Json {
  const schemas = new Schemas(schemaTexts);
  return typed({ shape: "plain", name: struct }, value, schemas);
}

/** Of the fields that are named, in that order. */
export function internalFields(
  struct: string,
  names: readonly string[],
  value: JsonObject,
): JsonObject {
  const schemas = new Schemas(schemaTexts);
  const { fields } = schemas.struct(struct);
  const shown = names.map((name) => {
    return [goName(name), fieldValue(fields.get(name)!, value[name], schemas)];
  });
  return Object.fromEntries(shown);
}

/** A template: its metadata is embedded, and no internal struct. */
export function internalTemplate(template: JsonObject): Json {
  const { metadata, spec } = template;
  return { ...obj(metadata), Spec: internalPodSpec(obj(spec)) };
}

export function internalPodSpec(spec: JsonObject): Json {
  return podSpec(spec, new Schemas(schemaTexts));
}

/** Order of the internal struct where it is not that of the API's. */
const podSpecOrder = [
  ...["volumes", "initContainers", "containers", "ephemeralContainers"],
  ...["restartPolicy", "terminationGracePeriodSeconds"],
  ...["activeDeadlineSeconds", "dnsPolicy", "nodeSelector"],
  ...["serviceAccountName", "automountServiceAccountToken", "nodeName"],
  ...["securityContext", "imagePullSecrets", "hostname", "subdomain"],
  ...["setHostnameAsFQDN", "affinity", "schedulerName", "tolerations"],
  ...["hostAliases", "priorityClassName", "priority", "preemptionPolicy"],
  ...["dnsConfig", "readinessGates", "runtimeClassName", "overhead"],
  ...["enableServiceLinks", "topologySpreadConstraints", "os"],
  ...["schedulingGates", "resourceClaims", "resources", "hostnameOverride"],
  ...["schedulingGroup"],
];

/** Fields of the API's PodSpec that are the security context's inside. */
const hostFields = [
  ...["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace"],
  "hostUsers",
];

function podSpec(spec: JsonObject, schemas: Schemas): Json {
  const { fields } = schemas.struct("PodSpec");
  const out: { [name: string]: Json } = {};
  for (const name of podSpecOrder) {
    const field = fields.get(name);
    if (!field) continue;
    const value = fieldValue(field, spec[name], schemas);
    out[goName(name)] = value;
    if (name !== "securityContext" || value === null) continue;
    const host: { [name: string]: Json } = {};
    for (const inner of hostFields) {
      const hostField = fields.get(inner);
      if (!hostField) continue;
      host[goName(inner)] = fieldValue(hostField, spec[inner], schemas);
    }
    out[goName(name)] = { ...host, ...obj(value) };
  }
  return out;
}

function fieldValue(field: Field, value: Json, schemas: Schemas): Json {
  if (value !== undefined) return typed(field.type, value, schemas);
  const { mode, type } = field;
  if (type.of || mode === "*" || mode === "%") return null;
  if (/^[A-Z]/.test(type.name)) {
    const held = mode === "+" || mode === "!";
    return held ? typed(type, {}, schemas) : null;
  }
  if (type.name === "b") return false;
  return type.name === "s" ? "" : /[ilf]/.test(type.name) ? 0 : null;
}

function typed(type: TypeRef, value: Json, schemas: Schemas): Json {
  const { of } = type;
  if (of && Array.isArray(value)) {
    return value.map((item: Json) => typed(of, item, schemas));
  }
  if (of) {
    const sorted = Object.entries(obj(value)).toSorted(byKey);
    return Object.fromEntries(
      sorted.map(([key, item]) => [key, typed(of, item, schemas)]),
    );
  }
  if (!/^[A-Z]/.test(type.name) || published.test(type.name)) return value;
  const out: { [name: string]: Json } = {};
  for (const field of schemas.struct(type.name).fields.values()) {
    const inner = obj(value)[field.name];
    out[goName(field.name)] = fieldValue(field, inner, schemas);
  }
  return out;
}

/** Structs that are the API's own inside, too. */
const published = /^LabelSelector(Requirement)?$/;

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names that Go writes in other capitals than the first alone. */
const initials =
  /^(dns|api|tty|nfs|fc|rbd|csi|gce|aws|iscsi|tcp|http|grpc|os|se|fs|ip|uid|gmsa)(?=[A-Z]|$)/;
const special: { readonly [name: string]: string } = {
  cephfs: "CephFS",
  storageos: "StorageOS",
};

function goName(name: string): string {
  if (special[name]) return special[name];
  const upper = name.replace(initials, (word) => word.toUpperCase());
  return upper.charAt(0).toUpperCase() + upper.slice(1);
}
