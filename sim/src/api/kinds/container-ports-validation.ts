/**
 * What the ports of containers may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  invalid,
  required,
} from "../field-error.ts";
import { portName, portNumber } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, str } from "./access.ts";
import { choiceErrors } from "./shared-validation.ts";

const protocols = ["SCTP", "TCP", "UDP"];

export function portsErrors(
  container: JsonObject,
  path: string,
  errors: FieldError[],
): void {
  const used = new Set<string>();
  for (const [i, port] of list(container.ports).entries()) {
    const here = `${path}[${i}]`;
    const name = str(port.name);
    const texts = name ? portName(name) : [];
    for (const text of texts) errors.push(invalid(`${here}.name`, name, text));
    if (used.has(name)) errors.push(duplicate(`${here}.name`, name));
    else if (name && texts.length === 0) used.add(name);
    const number = num(port.containerPort);
    if (number === 0) errors.push(required(`${here}.containerPort`));
    else {
      for (const text of portNumber(number)) {
        errors.push(invalid(`${here}.containerPort`, number, text));
      }
    }
    if (port.hostPort !== undefined) {
      for (const text of portNumber(num(port.hostPort))) {
        errors.push(invalid(`${here}.hostPort`, port.hostPort, text));
      }
    }
    errors.push(...choiceErrors(port.protocol, `${here}.protocol`, protocols));
  }
}

/** On the host's network: a template may leave the host's port to its Pods. */
export function hostNetworkErrors(
  containers: readonly JsonObject[],
  isPod: boolean,
  path: string,
): FieldError[] {
  const rule = "must match `containerPort` when `hostNetwork` is true";
  return containers.flatMap((container, i) =>
    list(container.ports).flatMap(({ hostPort, containerPort }, j) => {
      const open = !isPod && num(hostPort) === 0;
      if (open || num(hostPort) === num(containerPort)) return [];
      const where = `${path}[${i}].ports[${j}].hostPort`;
      return [invalid(where, num(hostPort), rule)];
    }),
  );
}

export function hostPortConflicts(
  containers: readonly JsonObject[],
  path: string,
  errors: FieldError[],
): void {
  const used = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [j, port] of list(container.ports).entries()) {
      if (!port.hostPort) continue;
      const key = `${str(port.protocol)}/${str(port.hostIP)}/${num(port.hostPort)}`;
      if (used.has(key))
        errors.push(duplicate(`${path}[${i}].ports[${j}].hostPort`, key));
      used.add(key);
    }
  }
}
