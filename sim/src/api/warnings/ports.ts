/**
 * Ports of a Pod's containers that are in each other's way.
 * Models: warningsForPodSpecAndMeta of pkg/api/pod/warnings.go @ v1.36
 */
import { list, num, str } from "../kinds/access.ts";
import type { JsonObject } from "../types.ts";

/** All containers of a Pod with their paths, in the order of upstream's visit. */
export function placedContainers(
  spec: JsonObject,
  path: string,
): [JsonObject, string][] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap(
    (field) =>
      list(spec[field]).map((container, i): [JsonObject, string] => [
        container,
        `${path}.${field}[${i}]`,
      ]),
  );
}

interface Placed {
  readonly path: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

export function portWarnings(spec: JsonObject, path: string): string[] {
  const warnings: string[] = [];
  const known = new Map<string, Placed[]>();
  for (const [container, of] of placedContainers(spec, path)) {
    for (const [i, port] of list(container.ports).entries()) {
      const here: Placed = {
        path: `${of}.ports[${i}]`,
        hostIP: str(port.hostIP),
        hostPort: num(port.hostPort),
      };
      if (here.hostIP && !here.hostPort) {
        const shown = printed(port);
        warnings.push(`${here.path}: hostIP set without hostPort: ${shown}`);
      }
      const key = `${num(port.containerPort)}/${str(port.protocol)}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const how = likeness(here, other);
        if (how) warnings.push(`${here.path}: ${how} with ${other.path}`);
      }
      known.set(key, [...others, here]);
    }
  }
  return warnings;
}

function likeness(one: Placed, other: Placed): string {
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) {
    return "duplicate port definition";
  }
  if (one.hostPort === 0 || other.hostPort === 0)
    return "overlapping port definition";
  const half = (one.hostIP === "") !== (other.hostIP === "");
  return one.hostPort === other.hostPort && half
    ? "dangerously ambiguous port definition"
    : "";
}

/** `%+v` of upstream's struct. */
function printed(port: JsonObject): string {
  const { name, hostPort, containerPort, protocol, hostIP } = port;
  const host = `HostPort:${num(hostPort)} ContainerPort:${num(containerPort)}`;
  return `{Name:${str(name)} ${host} Protocol:${str(protocol)} HostIP:${str(hostIP)}}`;
}
