/**
 * How the subjects of the trace's most frequent entries are worded. They are
 * worded when somebody reads them, from what the entry keeps anyway.
 */
import { groupResource } from "../api/resource.ts";
import type {
  ApiRequest,
  RequestDetail,
  WriteDetail,
} from "../api/transport.ts";
import { keyOf, type WatchEvent } from "../api/types.ts";
import type { Trace } from "../kernel/index.ts";

export function wordSubjects({ wordings }: Trace): void {
  wordings.set("request", { subjectOf: requestText });
  wordings.set("watch", { subjectOf: eventText });
  wordings.set("write", { subjectOf: writeText });
}

const VERB_TEXT: { readonly [verb: string]: string } = {
  create: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
  get: "GET",
  list: "LIST",
  watch: "WATCH",
};

function requestText({ request }: RequestDetail): string {
  const { verb, namespace, name, subresource } = request;
  const what = groupResource(request) + (subresource ? `/${subresource}` : "");
  const who = nameIn(request) ?? name;
  const where = namespace ? ` ${namespace}${who ? `/${who}` : ""}` : "";
  return `${VERB_TEXT[verb]} ${what}${where || (who ? ` ${who}` : "")}`;
}

/** The name in the body of a create. */
function nameIn({ verb, body }: ApiRequest): string | undefined {
  if (verb !== "create") return undefined;
  const { metadata } = body as { metadata?: { name?: string } };
  return metadata?.name;
}

function eventText({ type, object }: WatchEvent): string {
  return `${type} ${object.kind} ${keyOf(object)}`;
}

/** A thin trace keeps no detail: it has to be told at once. */
export function writeText({ before, after }: WriteDetail): string {
  const object = after ?? before!;
  return `${object.kind} ${keyOf(object)}`;
}
