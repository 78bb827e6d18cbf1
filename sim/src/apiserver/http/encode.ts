/** From an answer of the pipeline to the bytes of an HTTP response. */

import { obj } from "../../api/kinds/access.ts";
import type { Kind } from "../../api/kinds/definition.ts";
import { Scale } from "../../api/kinds/subresource-kinds.ts";
import type { ApiResponse } from "../../api/transport.ts";
import type {
  Json,
  JsonObject,
  KubeList,
  KubeObject,
} from "../../api/types.ts";
import { stringify } from "../../api/yaml.ts";
import type { Accepted } from "./negotiate.ts";
import {
  type IncludeObject,
  partialListOf,
  partialOf,
  tableOf,
} from "./table.ts";

export interface Form extends Accepted {
  readonly includeObject: IncludeObject;
  readonly now: number;
}

export function encode(
  answer: ApiResponse,
  form: Form,
  kind: Kind | undefined,
): Response {
  const { code, body, warnings = [], retryAfterSeconds } = answer;
  const shown = shape(body, form, kind);
  const headers = new Headers({ "Content-Type": form.type });
  for (const warning of warnings) {
    headers.append("Warning", `299 - ${JSON.stringify(warning)}`);
  }
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  const text =
    form.type === "application/yaml"
      ? stringify(shown)
      : `${JSON.stringify(shown)}\n`;
  return respondText(text, { status: code, headers }, warnings);
}

interface Sent {
  readonly text: string;
  readonly warnings: readonly string[];
}

const sent = new WeakMap<Response, Sent>();

/** What a response that does not stream says. */
export function sentAs(response: Response): Sent | undefined {
  return sent.get(response);
}

export function respondText(
  text: string,
  init: ResponseInit,
  warnings: readonly string[] = [],
): Response {
  const response = new Response(text, init);
  sent.set(response, { text, warnings });
  return response;
}

/** Kind and version first, as Go writes them; items of lists without. */
function shape(
  body: ApiResponse["body"],
  form: Form,
  kind: Kind | undefined,
): JsonObject {
  if (body.kind === "Status") return obj(body);
  if (kind && form.as === "Table") {
    const { now, includeObject } = form;
    // A Scale has columns of its own, whatever kind it is read from.
    const its = body.kind === Scale.kind ? Scale : kind;
    const options = { kind: its, now, includeObject, headers: true };
    return tableOf(body as KubeObject, options);
  }
  if (form.as) {
    return "items" in body
      ? partialListOf(body as KubeList)
      : partialOf(body as KubeObject);
  }
  return "items" in body ? bareItems(body as KubeList) : typeFirst(body);
}

export function typeFirst(object: object): JsonObject {
  const { kind, apiVersion, ...rest } = obj(object);
  return { kind, apiVersion, ...rest };
}

/** Items of a typed list do not repeat what the list says. */
function bareItems(list: KubeList): JsonObject {
  const custom =
    list.apiVersion.includes(".") && !list.apiVersion.endsWith("k8s.io/v1");
  const items = list.items.map((item) => {
    if (custom) return obj(item);
    const { kind: _k, apiVersion: _v, ...rest } = obj(item);
    return rest;
  });
  return { ...typeFirst(list), items };
}

/** Plain text, as the paths that name no resource answer. */
export function plainText(text: string, code = 200): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return respondText(text, { status: code, headers });
}

export function plainJson(body: Json, type = "application/json"): Response {
  const headers = { "Content-Type": type };
  return respondText(`${JSON.stringify(body)}\n`, { headers });
}
