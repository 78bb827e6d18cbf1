/**
 * What the ports of a Service may say.
 * Models: validateServicePort, ValidateService of
 *         pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
} from "../field-error.ts";
import { dns1123Label, labelKey, portNumber } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, str } from "./access.ts";
import { choiceErrors, portErrors } from "./shared-validation.ts";

const protocols = ["SCTP", "TCP", "UDP"];

export function servicePortsErrors(ports: readonly JsonObject[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, i) =>
    onePort(port, `spec.ports[${i}]`, ports.length > 1, names),
  );
}

function onePort(
  port: JsonObject,
  path: string,
  needsName: boolean,
  names: Set<string>,
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
  errors.push(...portErrors(port.targetPort ?? 0, `${path}.targetPort`));
  const { appProtocol } = port;
  if (appProtocol !== undefined) {
    for (const text of labelKey(str(appProtocol)))
      errors.push(invalid(`${path}.appProtocol`, appProtocol, text));
  }
  return errors;
}

/** Node ports where there are none, and pairs that stand twice. */
export function portClashes(spec: JsonObject): FieldError[] {
  const ports = list(spec.ports);
  // One alone is in nobody's way.
  return ports.length < 2 && !ports[0]?.nodePort ? [] : clashes(spec, ports);
}

function clashes(spec: JsonObject, ports: readonly JsonObject[]) {
  const [nodePorts, pairs] = [new Set<string>(), new Set<string>()];
  const unused: FieldError[] = [];
  const twice: FieldError[] = [];
  const same: FieldError[] = [];
  for (const [i, { protocol, port, nodePort }] of ports.entries()) {
    const path = `spec.ports[${i}]`;
    if (nodePort && spec.type === "ClusterIP") {
      const rule = "may not be used when `type` is 'ClusterIP'";
      unused.push(forbidden(`${path}.nodePort`, rule));
    }
    const pair = `${str(protocol)} ${num(nodePort)}`;
    if (nodePort && nodePorts.has(pair))
      twice.push(duplicate(`${path}.nodePort`, nodePort));
    nodePorts.add(pair);
    const key = `${str(protocol)} ${num(port)}`;
    if (pairs.has(key)) same.push(duplicate(path, shown(protocol, port)));
    pairs.add(key);
  }
  return [...unused, ...twice, ...same];
}

/** The pair as upstream's struct prints it, with all that it does not hold. */
function shown(Protocol: unknown, Port: unknown) {
  return {
    ...{ Name: "", Protocol, AppProtocol: null },
    ...{ Port, TargetPort: 0, NodePort: 0 },
  };
}
