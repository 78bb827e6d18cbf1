/**
 * kubectl describe of what holds data: ConfigMap, Secret, ServiceAccount,
 * Namespace.
 * Models:     kubectl/pkg/describe/describe.go @ v1.36
 */
import { list, map, obj, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { LimitRange } from "../../api/kinds/limitrange.ts";
import { ResourceQuota } from "../../api/kinds/resourcequota.ts";
import { itemsOf } from "../objects.ts";
import {
  type Describer,
  writeEventsOf,
  writeLabelsOf,
  writeName,
} from "./subject.ts";
import type { Writer } from "./writer.ts";

export const describeConfigMap: Describer = async (subject) => {
  const { w, object } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  heading(w, "Data");
  const data = map(object.data);
  for (const key of Object.keys(data).toSorted()) {
    for (const line of [`${key}:`, "----", ...data[key]!.split("\n"), ""])
      w.line(0, line);
  }
  heading(w, "BinaryData");
  const binary = map(object.binaryData);
  for (const key of Object.keys(binary).toSorted())
    w.line(0, `${key}: ${bytesOf(binary[key]!)} bytes`);
  w.line(0, "");
  await writeEventsOf(subject);
};

export const describeSecret: Describer = async (subject) => {
  const { w, object } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  w.line(0, "");
  w.field(0, "Type", str(object.type));
  heading(w, "Data");
  const data = map(object.data);
  for (const key of Object.keys(data).toSorted())
    w.field(0, key, `${bytesOf(data[key]!)} bytes`);
};

function heading(w: Writer, title: string): void {
  for (const line of ["", title, "===="]) w.line(0, line);
}

/** How many bytes a base64 text holds. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

export const describeServiceAccount: Describer = async (subject) => {
  const { w, object } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  const names = (field: string) =>
    list(object[field]).map(({ name }) => str(name));
  for (const [title, found] of [
    ["Image pull secrets", names("imagePullSecrets")],
    ["Mountable secrets", names("secrets")],
  ] as const) {
    if (found.length === 0 && title === "Image pull secrets") {
      w.field(0, title, "<none>");
    }
    for (const [i, name] of found.entries())
      w.line(0, `${i === 0 ? `${title}:` : ""}\t${name}`);
  }
  await writeEventsOf(subject);
};

export const describeNamespace: Describer = async (subject) => {
  const { w, object, status, env } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  w.field(0, "Status", str(status.phase));
  const { name } = object.metadata;
  const quotas = await env.client.list(ResourceQuota, name);
  const limits = await env.client.list(LimitRange, name);
  w.line(0, "");
  if (quotas.items.length === 0) w.line(0, "No resource quota.");
  else w.line(0, "Resource Quotas");
  for (const quota of itemsOf(quotas)) writeQuota(w, quota);
  w.line(0, "");
  if (limits.items.length === 0) w.line(0, "No LimitRange resource.");
  else {
    w.line(0, "Resource Limits");
    w.line(
      0,
      " Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio",
    );
    w.line(
      0,
      " ----\t--------\t---\t---\t---------------\t-------------\t-----------------------",
    );
    for (const range of itemsOf(limits)) writeLimits(w, range);
  }
};

function writeQuota(w: Writer, quota: Obj): void {
  const { hard, used } = obj(quota.status);
  w.line(1, `Name:\t${quota.metadata.name}`);
  w.line(1, "Resource\tUsed\tHard");
  w.line(1, "--------\t---\t---");
  for (const name of Object.keys(obj(hard)).toSorted())
    w.line(1, `${name}\t${map(used)[name] ?? "0"}\t${map(hard)[name]}`);
}

function writeLimits(w: Writer, range: Obj): void {
  const columns = [
    ...["min", "max", "defaultRequest", "default", "maxLimitRequestRatio"],
  ];
  for (const item of list(obj(range.spec).limits)) {
    const names = new Set(
      columns.flatMap((one) => Object.keys(map(item[one]))),
    );
    for (const name of [...names].toSorted()) {
      const cells = columns.map((one) => map(item[one])[name] ?? "-");
      w.line(0, ` ${item.type}\t${name}\t${cells.join("\t")}`);
    }
  }
}
