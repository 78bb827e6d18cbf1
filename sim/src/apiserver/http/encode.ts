/** From an answer of the pipeline to the bytes of an HTTP response. */

import { quote } from "../../api/go-text.ts";
import { obj } from "../../api/kinds/access.ts";
import type { Kind } from "../../api/kinds/definition.ts";
import { Scale } from "../../api/kinds/subresource-kinds.ts";
import { badRequest, statusError } from "../../api/status.ts";
import type { ApiResponse } from "../../api/transport.ts";
import type {
  Json,
  JsonObject,
  KubeList,
  KubeObject,
} from "../../api/types.ts";
import { stringify } from "../../api/yaml.ts";
import { internalType } from "../registry/decode.ts";
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
  const problem = body.kind === "Status" ? undefined : formProblem(form);
  if (problem) throw problem;
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
  if (form.as) return partial(body as KubeObject | KubeList, form.as, kind);
  return "items" in body ? bareItems(body as KubeList) : typeFirst(body);
}

/** The metadata alone, as one or as a list: as it is. Throws 406. */
function partial(
  body: KubeObject | KubeList,
  as: string,
  kind: Kind | undefined,
): JsonObject {
  const list = "items" in body;
  if (list !== as.endsWith("List")) {
    const what = list ? "a list" : "not a list";
    const type = kind ? goTypeOf(kind) : body.kind;
    const message = `you requested ${as}, but the requested object is ${what} (*${type}${list ? "List" : ""})`;
    throw statusError(406, "NotAcceptable", message);
  }
  return list ? partialListOf(body) : partialOf(body);
}

/** A table can be asked for with what is not known. */
export function formProblem({ as, includeObject }: Form) {
  const known = ["Metadata", "Object", "None"].includes(includeObject);
  if (as !== "Table" || known) return undefined;
  const why = "must be 'Metadata', 'Object', 'None', or empty";
  return badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quote(includeObject)}: ${why}`,
  );
}

export function typeFirst(object: object): JsonObject {
  const { kind, apiVersion, ...rest } = obj(object);
  return { kind, apiVersion, ...rest };
}

/** Items of a typed list do not repeat what the list says. */
function bareItems(list: KubeList): JsonObject {
  const custom = isCustom(list);
  const items = list.items.map((item) => {
    if (custom) return obj(item);
    const { kind: _k, apiVersion: _v, ...rest } = obj(item);
    return rest;
  });
  return { ...typeFirst(list), items };
}

function isCustom({ apiVersion }: { readonly apiVersion: string }): boolean {
  return apiVersion.includes(".") && !apiVersion.endsWith("k8s.io/v1");
}

/** As Go calls it: custom objects have no type of their own. */
function goTypeOf(kind: Kind): string {
  if (isCustom(kind)) return "unstructured.Unstructured";
  return internalType(kind);
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
