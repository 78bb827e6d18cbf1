/**
 * The quality of service class of a Pod: who is killed first when memory runs out.
 * Models: pkg/apis/core/v1/helper/qos/qos.go @ v1.36
 */
import { bytes, milliCpu } from "../quantity.ts";
import type { Json, JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";

export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

/** Of a Pod's spec. */
export function qosOf(spec: JsonObject): QosClass {
  const whole = spec.resources;
  const containers = whole
    ? [spec]
    : [...list(spec.containers), ...list(spec.initContainers)];
  let guaranteed = true;
  const requests = new Map<string, number>();
  const limits = new Map<string, number>();
  for (const container of containers) {
    const resources = obj(container.resources);
    add(requests, resources.requests);
    const limited = add(limits, resources.limits);
    if (!limited.has("cpu") || !limited.has("memory")) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  if (!guaranteed || requests.size !== limits.size) return "Burstable";
  for (const [name, amount] of requests) {
    if (limits.get(name) !== amount) return "Burstable";
  }
  return "Guaranteed";
}

/** Adds up cpu and memory above zero; tells which there were. */
function add(sums: Map<string, number>, resources: Json): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const name of ["cpu", "memory"]) {
    const text = str(obj(resources)[name]);
    if (!text) continue;
    const amount = name === "cpu" ? milliCpu(text) : bytes(text);
    if (amount <= 0) continue;
    seen.add(name);
    sums.set(name, (sums.get(name) ?? 0) + amount);
  }
  return seen;
}
