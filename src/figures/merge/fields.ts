/**
 * Fields in a second `kubectl apply`: as applied last, as in the file, as they
 * were on the server; what kubectl sent of them, and what became of them. From
 * the requests of a run.
 */
import type { TraceEntry } from "@shikumi/sim";
import { nameOf, requestsOf } from "../requests/requests.ts";

export interface Wanted {
  /** Name of the object. */
  readonly of: string;
  /** `spec.replicas`; a number is a place in a list. */
  readonly path: string;
}

export interface Field extends Wanted {
  /** Undefined: the field is not there. */
  readonly lastApplied?: string;
  readonly file?: string;
  readonly live?: string;
  /** `null`: to be deleted. Undefined: nothing about it is sent. */
  readonly sent?: string;
  readonly after?: string;
}

const MEMORY = "kubectl.kubernetes.io/last-applied-configuration";

interface Applied {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

export function fieldsOf(
  entries: readonly TraceEntry[],
  { atMs, wanted }: { atMs: number; wanted: readonly Wanted[] },
): Field[] {
  const typed = entries.find((one) => one.verb === "input" && one.atMs === atMs)!;
  const sent = requestsOf(entries, typed.id);
  return wanted.map((one) => {
    const own = sent.filter(({ request }) => nameOf(request) === one.of);
    const read = own.find(({ request }) => request.verb === "get")!;
    const patch = own.find(({ request }) => request.verb === "patch");
    const live = read.answer.body as Applied;
    const after = (patch?.answer.body ?? live) as Applied;
    const at = (object: unknown) => textAt(object, one.path);
    return {
      ...one,
      lastApplied: at(memoryOf(live)),
      file: at(memoryOf(after)),
      live: at(live),
      sent: at(patch?.request.body),
      after: at(after),
    };
  });
}

/** The file of the last apply, as the object remembers it. */
function memoryOf({ metadata }: Applied): unknown {
  return JSON.parse(metadata.annotations?.[MEMORY] ?? "{}");
}

function textAt(object: unknown, path: string): string | undefined {
  let value = object;
  for (const key of path.split(".")) {
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return value === undefined ? undefined : String(value);
}
