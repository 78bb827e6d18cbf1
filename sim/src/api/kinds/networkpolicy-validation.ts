/**
 * What a NetworkPolicy may say.
 * Models:     pkg/apis/networking/validation/validation.go @ v1.36
 * Leaves out: what old objects have and may keep.
 */
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { cidrErrors, isWithin } from "../ip.ts";
import { portNumber } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import {
  optionalChoiceErrors,
  portErrors,
  selectorErrors,
} from "./shared-validation.ts";

const directions = ["Ingress", "Egress"];

export function policyErrors(policy: Obj): FieldError[] {
  const spec = obj(policy.spec);
  const errors = selectorErrors(spec.podSelector, "spec.podSelector");
  for (const [field, peers] of [
    ["ingress", "from"],
    ["egress", "to"],
  ] as const) {
    for (const [i, rule] of list(spec[field]).entries())
      errors.push(...ruleErrors(rule, peers, `spec.${field}[${i}]`));
  }
  const types = strings(spec.policyTypes);
  if (types.length > directions.length) {
    const why = "may not specify more than two policyTypes";
    return [...errors, invalid("spec.policyTypes", types, why)];
  }
  for (const [i, type] of types.entries()) {
    if (directions.includes(type)) continue;
    errors.push(notSupported(`spec.policyTypes[${i}]`, type, directions));
  }
  return errors;
}

function ruleErrors(
  rule: JsonObject,
  peers: string,
  path: string,
): FieldError[] {
  return [
    ...list(rule.ports).flatMap((port, i) =>
      policyPortErrors(port, `${path}.ports[${i}]`),
    ),
    ...list(rule[peers]).flatMap((peer, i) =>
      peerErrors(peer, `${path}.${peers}[${i}]`),
    ),
  ];
}

const protocols = ["TCP", "UDP", "SCTP"];

function policyPortErrors(one: JsonObject, path: string): FieldError[] {
  const { port, endPort, protocol } = one;
  const errors = optionalChoiceErrors(protocol, `${path}.protocol`, protocols);
  const end = (why: string) => invalid(`${path}.endPort`, endPort, why);
  if (port === undefined) {
    const why = "may not be specified when `port` is not specified";
    return endPort === undefined ? errors : [...errors, end(why)];
  }
  if (typeof port === "number") {
    errors.push(...portErrors(port, `${path}.port`));
    if (endPort === undefined) return errors;
    if (num(endPort) < port)
      errors.push(end("must be greater than or equal to `port`"));
    return [...errors, ...portNumber(num(endPort)).map(end)];
  }
  if (endPort !== undefined)
    errors.push(end("may not be specified when `port` is non-numeric"));
  return [...errors, ...portErrors(port, `${path}.port`)];
}

function peerErrors(peer: JsonObject, path: string): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...selectorErrors(podSelector, `${path}.podSelector`),
    ...selectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ...(ipBlock ? blockErrors(obj(ipBlock), `${path}.ipBlock`) : []),
  ];
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && !ipBlock) {
    errors.push(required(path, "must specify a peer"));
  } else if (selects && ipBlock) {
    const why = "may not specify both ipBlock and another peer";
    errors.push(forbidden(path, why));
  }
  return errors;
}

function blockErrors(block: JsonObject, path: string): FieldError[] {
  const cidr = str(block.cidr);
  if (!cidr) return [required(`${path}.cidr`)];
  const errors = cidrErrors(cidr, `${path}.cidr`);
  for (const [i, except] of strings(block.except).entries()) {
    const where = `${path}.except[${i}]`;
    const within = isWithin(except, cidr);
    // Of a network that cannot be read, nothing is an exception.
    if (within === "no outer") break;
    errors.push(...cidrErrors(except, where));
    if (within === "no")
      errors.push(invalid(where, except, "must be a strict subset of `cidr`"));
  }
  return errors;
}
