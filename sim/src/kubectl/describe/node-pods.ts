/**
 * The Pods of a Node and what they ask for, in parts of what it has.
 * Models:     kubectl/pkg/describe/describe.go (describeNodeResource),
 *             kubectl/pkg/util/resource @ v1.36
 */
import { at, list, obj, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { Pod } from "../../api/kinds/pod.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  milliValue,
  parseQuantity,
  type Quantity,
  zero,
} from "../../api/quantity.ts";
import { age } from "../../api/table.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { itemsOf } from "../objects.ts";
import { nowOf } from "../time.ts";
import type { Subject } from "./subject.ts";

type Amounts = Map<string, Quantity>;

export async function writeNodePods(subject: Subject): Promise<void> {
  const { env, object, status, w } = subject;
  const fieldSelector =
    `spec.nodeName=${object.metadata.name},` +
    "status.phase!=Failed,status.phase!=Succeeded";
  const found = await env.client.list(Pod, "", { fieldSelector });
  const pods = itemsOf(found);
  const room = obj(status.allocatable ?? status.capacity);
  w.line(0, `Non-terminated Pods:\t(${pods.length} in total)`);
  w.line(
    1,
    "Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge",
  );
  w.line(
    1,
    "---------\t----\t\t------------\t----------\t---------------\t-------------\t---",
  );
  const [requests, limits]: [Amounts, Amounts] = [new Map(), new Map()];
  for (const pod of pods) {
    const asked = podAmounts(pod, "requests");
    const bound = podAmounts(pod, "limits");
    add(requests, asked);
    add(limits, bound);
    const part = (of: Amounts, name: string) => share(of.get(name), room[name]);
    const cells = ["cpu", "memory"].flatMap((name) => [
      part(asked, name),
      part(bound, name),
    ]);
    const { name, namespace } = pod.metadata;
    const old = age(pod, nowOf(env));
    w.line(1, `${namespace}\t${name}\t\t${cells.join("\t")}\t${old}`);
  }
  writeTotals(subject, requests, limits, room);
}

function writeTotals(
  { w }: Subject,
  requests: Amounts,
  limits: Amounts,
  room: JsonObject,
): void {
  w.line(0, "Allocated resources:");
  w.line(1, "(Total limits may be over 100 percent, i.e., overcommitted.)");
  w.line(1, "Resource\tRequests\tLimits");
  w.line(1, "--------\t--------\t------");
  const names = Object.keys(room).toSorted();
  const huge = names.filter((one) => one.startsWith("hugepages-"));
  for (const name of ["cpu", "memory", "ephemeral-storage", ...huge]) {
    const [asked, bound] = [requests.get(name), limits.get(name)];
    w.line(
      1,
      `${name}\t${share(asked, room[name])}\t${share(bound, room[name])}`,
    );
  }
  for (const name of names.filter((one) => one.includes("/"))) {
    const [asked, bound] = [requests.get(name), limits.get(name)];
    w.line(
      1,
      `${name}\t${formatQuantity(asked ?? zero)}\t${formatQuantity(bound ?? zero)}`,
    );
  }
}

/** `100m (2%)` */
function share(amount: Quantity = zero, room: Json): string {
  const all = room === undefined ? 0 : Number(milliValue(parse(room)));
  const part = all === 0 ? 0 : (Number(milliValue(amount)) / all) * 100;
  return `${formatQuantity(amount)} (${Math.trunc(part)}%)`;
}

function parse(value: Json): Quantity {
  return parseQuantity(String(value));
}

/** Of all containers; each init container runs alone, unless it goes on. */
function podAmounts({ spec }: Obj, field: "requests" | "limits"): Amounts {
  const total: Amounts = new Map();
  const of = (container: JsonObject): Amounts => {
    const amounts = Object.entries(obj(at(container, "resources", field)));
    return new Map(amounts.map(([name, value]) => [name, parse(value)]));
  };
  for (const container of list(at(spec, "containers")))
    add(total, of(container));
  const kept: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of list(at(spec, "initContainers"))) {
    const own = of(container);
    if (str(container.restartPolicy) === "Always") {
      add(total, own);
      add(kept, own);
      raise(peak, kept);
    } else raise(peak, sum(kept, own));
  }
  raise(total, peak);
  const overhead = Object.entries(obj(at(spec, "overhead")));
  add(total, new Map(overhead.map(([name, value]) => [name, parse(value)])));
  return total;
}

function add(to: Amounts, more: Amounts): void {
  for (const [name, amount] of more) {
    const known = to.get(name);
    to.set(name, known ? addQuantities(known, amount) : amount);
  }
}

function sum(a: Amounts, b: Amounts): Amounts {
  const both = new Map(a);
  add(both, b);
  return both;
}

function raise(to: Amounts, other: Amounts): void {
  for (const [name, amount] of other) {
    const known = to.get(name);
    if (!known || compareQuantities(known, amount) < 0) to.set(name, amount);
  }
}
