/**
 * What a Service may say, and what may change in it.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Label, dns1123Subdomain, portNumber } from "../names.ts";
import type { JsonObject, Labels } from "../types.ts";
import { at, list, num, obj, same, str, strings } from "./access.ts";
import type { Obj } from "./definition.ts";
import { validateLabels } from "./metadata.ts";
import { choiceErrors, portErrors, rangeErrors } from "./shared-validation.ts";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const protocols = ["SCTP", "TCP", "UDP"];

export function serviceErrors(service: Obj): FieldError[] {
  const spec = obj(service.spec);
  const headless =
    strings(spec.clusterIPs)[0] === "None" || spec.clusterIP === "None";
  const external = spec.type === "ExternalName";
  const errors: FieldError[] = [];
  if (list(spec.ports).length === 0 && !headless && !external) {
    errors.push(required("spec.ports"));
  }
  if (spec.type === "LoadBalancer" && headless) {
    errors.push(
      invalid(
        "spec.clusterIPs[0]",
        "None",
        "may not be set to 'None' for LoadBalancer services",
      ),
    );
  }
  if (spec.type === "NodePort" && headless) {
    errors.push(
      invalid(
        "spec.clusterIPs[0]",
        "None",
        "may not be set to 'None' for NodePort services",
      ),
    );
  }
  if (external) errors.push(...externalNameErrors(spec));
  return [...errors, ...fieldErrors(spec, headless)];
}

function fieldErrors(spec: JsonObject, headless: boolean): FieldError[] {
  const errors: FieldError[] = [];
  errors.push(...portsErrors(spec, headless));
  if (spec.selector !== undefined) {
    errors.push(...validateLabels(spec.selector as Labels, "spec.selector"));
  }
  const affinities = ["ClientIP", "None"];
  errors.push(
    ...choiceErrors(spec.sessionAffinity, "spec.sessionAffinity", affinities),
  );
  const seconds = at(
    spec,
    "sessionAffinityConfig",
    "clientIP",
    "timeoutSeconds",
  );
  const where = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
  errors.push(...rangeErrors(seconds, where, 1, 86400));
  errors.push(...choiceErrors(spec.type, "spec.type", types));
  return [...errors, ...trafficErrors(spec)];
}

function externalNameErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  if (strings(spec.clusterIPs).length > 0) {
    const rule = "may not be set for ExternalName services";
    errors.push(forbidden("spec.clusterIPs", rule));
  }
  const name = str(spec.externalName).replace(/\.$/, "");
  if (!name) errors.push(required("spec.externalName"));
  else
    for (const text of dns1123Subdomain(name))
      errors.push(invalid("spec.externalName", name, text));
  return errors;
}

function portsErrors(spec: JsonObject, headless: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const ports = list(spec.ports);
  const names = new Set<string>();
  const pairs = new Set<string>();
  const nodePorts = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const here = `spec.ports[${i}]`;
    errors.push(...onePort(port, here, ports.length > 1, names, headless));
    if (port.nodePort) {
      const key = `${str(port.protocol)} ${num(port.nodePort)}`;
      if (nodePorts.has(key))
        errors.push(duplicate(`${here}.nodePort`, port.nodePort));
      nodePorts.add(key);
      if (spec.type === "ClusterIP") {
        const rule = "may not be used when `type` is 'ClusterIP'";
        errors.push(forbidden(`${here}.nodePort`, rule));
      }
    }
    const pair = `${str(port.protocol)} ${num(port.port)}`;
    if (pairs.has(pair)) {
      errors.push(
        duplicate(here, { protocol: port.protocol, port: port.port }),
      );
    }
    pairs.add(pair);
  }
  return errors;
}

function onePort(
  port: JsonObject,
  path: string,
  needsName: boolean,
  names: Set<string>,
  headless: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = str(port.name);
  if (needsName && !name) errors.push(required(`${path}.name`));
  else if (name) {
    for (const text of dns1123Label(name))
      errors.push(invalid(`${path}.name`, name, text));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
  }
  for (const text of portNumber(num(port.port))) {
    errors.push(invalid(`${path}.port`, num(port.port), text));
  }
  errors.push(...choiceErrors(port.protocol, `${path}.protocol`, protocols));
  if (port.targetPort !== undefined) {
    errors.push(...portErrors(port.targetPort, `${path}.targetPort`));
  }
  if (
    headless &&
    typeof port.targetPort === "number" &&
    port.targetPort !== port.port
  ) {
    const rule = "must be equal to the value of 'port' when clusterIP = None";
    errors.push(invalid(`${path}.targetPort`, port.targetPort, rule));
  }
  return errors;
}

function trafficErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const policies = ["Cluster", "Local"];
  const { externalTrafficPolicy, internalTrafficPolicy, type } = spec;
  const outside = type === "NodePort" || type === "LoadBalancer";
  if (externalTrafficPolicy) {
    if (!outside && strings(spec.externalIPs).length === 0) {
      const rule = "may only be set for externally-accessible services";
      errors.push(
        invalid("spec.externalTrafficPolicy", externalTrafficPolicy, rule),
      );
    } else if (!policies.includes(str(externalTrafficPolicy))) {
      const path = "spec.externalTrafficPolicy";
      errors.push(notSupported(path, externalTrafficPolicy, policies));
    }
  }
  if (
    internalTrafficPolicy !== undefined &&
    !policies.includes(str(internalTrafficPolicy))
  ) {
    const path = "spec.internalTrafficPolicy";
    errors.push(notSupported(path, internalTrafficPolicy, policies));
  }
  if (type !== "LoadBalancer") {
    for (const field of [
      "allocateLoadBalancerNodePorts",
      "loadBalancerClass",
    ]) {
      if (spec[field] === undefined) continue;
      const rule = "may only be used when `type` is 'LoadBalancer'";
      errors.push(forbidden(`spec.${field}`, rule));
    }
  }
  return errors;
}

/** A cluster IP, once given, stays while the type needs one. */
export function serviceChange(service: Obj, old: Obj): FieldError[] {
  const [spec, before] = [obj(service.spec), obj(old.spec)];
  const errors: FieldError[] = [];
  if (spec.type === "ExternalName" || before.type === "ExternalName")
    return errors;
  const [now, was] = [strings(spec.clusterIPs), strings(before.clusterIPs)];
  if (was[0] && now[0] !== was[0]) {
    errors.push(invalid("spec.clusterIPs[0]", now, "may not change once set"));
  }
  const [family, oldFamily] = [
    strings(spec.ipFamilies)[0],
    strings(before.ipFamilies)[0],
  ];
  if (oldFamily && family && family !== oldFamily) {
    const rule = "may not change once set";
    errors.push(invalid("spec.ipFamilies[0]", spec.ipFamilies, rule));
  }
  const { loadBalancerClass } = spec;
  const both = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
  if (both && !same(loadBalancerClass, before.loadBalancerClass)) {
    const path = "spec.loadBalancerClass";
    errors.push(
      invalid(path, loadBalancerClass ?? null, "may not change once set"),
    );
  }
  return errors;
}
