/**
 * kubectl describe of what holds data: ConfigMap, Secret, ServiceAccount,
 * Namespace.
 * Models:     kubectl/pkg/describe/describe.go @ v1.36
 */
import { list, map, str } from "../../api/kinds/access.ts";
import { LimitRange } from "../../api/kinds/limitrange.ts";
import { ResourceQuota } from "../../api/kinds/resourcequota.ts";
import { itemsOf } from "../objects.ts";
import { writeLimits, writeQuota } from "./quota.ts";
import {
  type Describer,
  writeEventsOf,
  writeLabelsOf,
  writeName,
  writeTimedConditions,
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
  const names = list(object.imagePullSecrets).map(({ name }) => str(name));
  w.items(0, "Image pull secrets", names);
  await writeEventsOf(subject);
};

export const describeNamespace: Describer = async (subject) => {
  const { w, object, status, env } = subject;
  writeName(subject);
  writeLabelsOf(subject);
  w.field(0, "Status", str(status.phase));
  writeTimedConditions(subject);
  const { name } = object.metadata;
  const quotas = await env.client.list(ResourceQuota, name);
  const limits = await env.client.list(LimitRange, name);
  w.line(0, "");
  if (quotas.items.length === 0) w.line(0, "No resource quota.");
  else w.line(0, "Resource Quotas");
  for (const quota of itemsOf(quotas)) writeQuota(w, quota);
  w.line(0, "");
  if (limits.items.length === 0) w.line(0, "No LimitRange resource.");
  else writeLimits(w, itemsOf(limits));
};
