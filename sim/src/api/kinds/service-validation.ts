/**
 * What a Service may say, and what may change in it.
 * Models: ValidateService, ValidateServiceUpdate of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { cidrErrors, ipErrors, specialIpErrors } from "../ip.ts";
import { dns1123Subdomain, labelKey, portNumber } from "../names.ts";
import type { JsonObject, Labels } from "../types.ts";
import { list, num, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { validateLabels } from "./metadata.ts";
import {
  addressChange,
  addressErrors,
  isHeadless,
} from "./service-addresses.ts";
import { portClashes, servicePortsErrors } from "./service-ports-validation.ts";
import { mayHaveNodePorts, needsHealthCheck } from "./service-strategy.ts";
import { choiceErrors, optionalChoiceErrors } from "./shared-validation.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const affinities = ["ClientIP", "None"];

export function serviceErrors(service: Obj): FieldError[] {
  const spec = obj(service.spec);
  const headless = isHeadless(spec);
  const elsewhere = spec.type === "ExternalName";
  const ports = list(spec.ports);
  const errors: FieldError[] = [];
  if (ports.length === 0 && !headless && !elsewhere) {
    errors.push(required("spec.ports"));
  }
  if (headless && /^(LoadBalancer|NodePort)$/.test(str(spec.type))) {
    const rule = `may not be set to 'None' for ${spec.type} services`;
    errors.push(invalid("spec.clusterIPs[0]", "None", rule));
  }
  if (elsewhere) errors.push(...externalNameErrors(spec));
  errors.push(...servicePortsErrors(ports));
  if (spec.selector !== undefined) {
    errors.push(...validateLabels(spec.selector as Labels, "spec.selector"));
  }
  errors.push(
    ...choiceErrors(spec.sessionAffinity, "spec.sessionAffinity", affinities),
  );
  if (spec.sessionAffinityConfig !== undefined) {
    errors.push(...stickyErrors(spec));
  }
  errors.push(...addressErrors(spec));
  if (spec.externalIPs !== undefined) errors.push(...externalIpErrors(spec));
  errors.push(...choiceErrors(spec.type, "spec.type", types));
  errors.push(...portClashes(spec));
  const { annotations } = service.metadata;
  if (annotations || balancing.some((field) => spec[field] !== undefined))
    errors.push(...balancerErrors(service, spec));
  return [...errors, ...trafficErrors(spec)];
}

/** What only load balancers have. */
const balancing = [
  ...["loadBalancerSourceRanges", "allocateLoadBalancerNodePorts"],
  "loadBalancerClass",
];

function externalNameErrors(spec: JsonObject): FieldError[] {
  const rule = "may not be set for ExternalName services";
  const errors: FieldError[] = ["clusterIPs", "ipFamilies"]
    .filter((field) => strings(spec[field]).length > 0)
    .map((field) => forbidden(`spec.${field}`, rule));
  if (spec.ipFamilyPolicy !== undefined)
    errors.push(forbidden("spec.ipFamilyPolicy", rule));
  const name = str(spec.externalName).replace(/\.$/, "");
  if (!name) errors.push(required("spec.externalName"));
  for (const text of name ? dns1123Subdomain(name) : [])
    errors.push(invalid("spec.externalName", name, text));
  return errors;
}

const stickySecondsMax = 86400;

function stickyErrors(spec: JsonObject): FieldError[] {
  if (spec.sessionAffinity !== "ClientIP") return [];
  const { timeoutSeconds: seconds } = obj(
    obj(spec.sessionAffinityConfig).clientIP,
  );
  if (num(seconds) > 0 && num(seconds) <= stickySecondsMax) return [];
  const rule = `must be greater than 0 and less than ${stickySecondsMax}`;
  const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  return [invalid(path, seconds, rule)];
}

function externalIpErrors(spec: JsonObject): FieldError[] {
  return strings(spec.externalIPs).flatMap((ip, i) => {
    const path = `spec.externalIPs[${i}]`;
    const errors = ipErrors(ip, path);
    return errors.length > 0 ? errors : specialIpErrors(ip, path);
  });
}

const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const rangesMark = "service.beta.kubernetes.io/load-balancer-source-ranges";

function balancerErrors(service: Obj, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const balanced = spec.type === "LoadBalancer";
  const ranges = strings(spec.loadBalancerSourceRanges);
  const marked = service.metadata.annotations?.[rangesMark];
  if (ranges.length > 0) {
    const path = "spec.LoadBalancerSourceRanges";
    if (!balanced) errors.push(forbidden(path, onlyBalanced));
    for (const [i, range] of ranges.entries())
      errors.push(...cidrErrors(range.trim(), `${path}[${i}]`));
  } else if (marked !== undefined) {
    const path = `metadata.annotations[${rangesMark}]`;
    if (!balanced) errors.push(forbidden(path, onlyBalanced));
    for (const range of marked.trim() ? marked.split(",") : [])
      errors.push(...cidrErrors(range.trim(), path));
  }
  const { loadBalancerClass } = spec;
  for (const field of balancing.slice(1)) {
    if (!balanced && spec[field] !== undefined)
      errors.push(forbidden(`spec.${field}`, onlyBalanced));
  }
  if (balanced && loadBalancerClass !== undefined) {
    for (const text of labelKey(str(loadBalancerClass)))
      errors.push(invalid("spec.loadBalancerClass", loadBalancerClass, text));
  }
  return errors;
}

const policies = ["Cluster", "Local"];

function trafficErrors(spec: JsonObject): FieldError[] {
  const { externalTrafficPolicy: external, type } = spec;
  const outside =
    mayHaveNodePorts(spec) ||
    (type === "ClusterIP" && strings(spec.externalIPs).length > 0);
  const path = "spec.externalTrafficPolicy";
  const errors: FieldError[] = [];
  if (outside) errors.push(...choiceErrors(external, path, policies));
  else if (external) {
    const rule = "may only be set for externally-accessible services";
    errors.push(invalid(path, external, rule));
  }
  const { internalTrafficPolicy: internal, trafficDistribution: near } = spec;
  return [
    ...errors,
    ...healthErrors(spec),
    ...optionalChoiceErrors(internal, "spec.internalTrafficPolicy", policies),
    ...optionalChoiceErrors(near, "spec.trafficDistribution", [
      ...["PreferClose", "PreferSameZone", "PreferSameNode"],
    ]),
  ];
}

function healthErrors(spec: JsonObject): FieldError[] {
  const port = num(spec.healthCheckNodePort);
  const path = "spec.healthCheckNodePort";
  if (needsHealthCheck(spec)) {
    if (port === 0) return [required(path)];
    return portNumber(port).map((text) => invalid(path, port, text));
  }
  const rule =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalid(path, port, rule)];
}

/** What may not change. */
export function serviceChange(service: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(service.spec), obj(old.spec)];
  const errors = addressChange(spec, before);
  const { loadBalancerClass: ofClass, healthCheckNodePort: port } = spec;
  const both = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
  if (both && !same(ofClass, before.loadBalancerClass)) {
    const rule = "may not change once set";
    errors.push(invalid("spec.loadBalancerClass", ofClass ?? null, rule));
  }
  const checked = needsHealthCheck(spec) && needsHealthCheck(before);
  if (checked && port !== before.healthCheckNodePort) {
    errors.push(forbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  return errors;
}
