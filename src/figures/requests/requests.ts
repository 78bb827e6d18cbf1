/**
 * What commands of kubectl asked of the API server, and how it answered: the
 * method, the path, the status, and what a PATCH carried. From the trace of a run.
 */
import type { TraceEntry } from "@shikumi/sim";
import type { ApiRequest } from "@shikumi/sim/process";

export interface Asked {
  readonly method: string;
  readonly path: string;
  /** `404 Not Found`. */
  readonly status: string;
  readonly code: number;
  /** Of a PATCH: its body, without the annotation that apply keeps for itself. */
  readonly body?: string;
}

export interface Command {
  readonly atMs: number;
  /** As it was typed: `kubectl scale …`. */
  readonly line: string;
  readonly asked: readonly Asked[];
}

const METHODS: Readonly<Record<string, string>> = {
  ...{ get: "GET", list: "GET", watch: "GET", create: "POST" },
  ...{ update: "PUT", patch: "PATCH", delete: "DELETE" },
};

/** The commands typed at these moments, with those requests that are about `name` or about no single object. */
export function commandsOf(
  entries: readonly TraceEntry[],
  { atMs, name }: { atMs: readonly number[]; name: string },
): Command[] {
  const typed = entries.filter((one) => one.verb === "input" && atMs.includes(one.atMs));
  return typed.map(({ id, atMs, subject }) => {
    const sent = requestsOf(entries, id).filter(({ request }) => {
      return request.verb === "list" || nameOf(request) === name;
    });
    return { atMs, line: subject, asked: sent.map(askedOf) };
  });
}

export interface Sent {
  readonly request: ApiRequest;
  readonly answer: { readonly code: number; readonly body: unknown };
  /** `200 OK`. */
  readonly status: string;
}

/** The requests of the command that the entry `id` is. */
export function requestsOf(entries: readonly TraceEntry[], id: number): Sent[] {
  const sent = entries.filter(({ causeId, actor, verb }) => {
    return causeId === id && actor === "kubectl" && verb === "request";
  });
  return sent.map(({ id, detail }) => {
    const { request } = detail as { request: ApiRequest };
    const response = entries.find(({ causeId, verb }) => causeId === id && verb === "response")!;
    return { request, answer: response.detail as Sent["answer"], status: response.subject };
  });
}

export function nameOf({ name, body }: ApiRequest): string {
  return name ?? (body as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? "";
}

function askedOf({ request, answer, status }: Sent): Asked {
  const { verb, body } = request;
  const patch = verb === "patch" ? { body: JSON.stringify(withoutMemory(body)) } : {};
  const { code } = answer;
  return { method: METHODS[verb] ?? "", path: pathOf(request), status, code, ...patch };
}

export function pathOf(request: ApiRequest): string {
  const { verb, group, version, resource, namespace, name, subresource } = request;
  const start = group === "" ? ["api", version] : ["apis", group, version];
  const place = namespace ? ["namespaces", namespace] : [];
  const which = name && verb !== "create" ? [name] : [];
  const part = subresource ? [subresource] : [];
  return `/${[...start, ...place, resource, ...which, ...part].join("/")}`;
}

/** Without `last-applied-configuration`, in which the whole file stands once more. */
function withoutMemory(body: unknown): unknown {
  const { metadata = {}, ...rest } = body as { metadata?: Record<string, unknown> };
  const { annotations: _, ...others } = metadata;
  return Object.keys(others).length > 0 ? { ...rest, metadata: others } : rest;
}
