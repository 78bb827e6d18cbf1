/**
 * What a list or a watch wants of a resource: a namespace, labels, fields.
 * Models: apiserver/pkg/storage/selection_predicate.go @ v1.36
 */
import { quote } from "../../api/go-text.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import {
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "../../api/selector.ts";
import { badRequest } from "../../api/status.ts";
import type { KubeObject } from "../../api/types.ts";
import type { RequestContext } from "../context.ts";
import { checkNumbers } from "./list-options.ts";
import type { Resource } from "./resource.ts";

export interface Selection {
  readonly namespace: string;
  /** Set if only one name is wanted. */
  readonly name?: string;
  /** Set if one value of the cache's indexed field is wanted. */
  readonly indexValue?: string;
  /** Absent: all of the namespace. */
  readonly matches?: (object: KubeObject) => boolean;
}

/** Field by which the cache files the objects of a kind. */
const INDEXED: { readonly [resource: string]: string } = {
  pods: "spec.nodeName",
  nodes: "metadata.name",
};

/** `check` looks at the other options, once these could be read. */
export function selectionOf(
  ctx: RequestContext,
  check: (ctx: RequestContext) => void,
): Selection {
  const { labelSelector = "", fieldSelector = "" } = ctx.options;
  const { namespace, resource } = ctx;
  checkNumbers(ctx.options, "timeoutSeconds", "limit");
  if (!labelSelector && !fieldSelector) {
    check(ctx);
    return ctx.name ? { namespace, name: ctx.name } : { namespace };
  }
  const labels = parsed(() => parseLabelSelector(labelSelector));
  const fields = parsed(() => parseFieldSelector(fieldSelector));
  check(ctx);
  const { kind } = resource;
  const indexed = kind.group === "" ? INDEXED[kind.resource] : undefined;
  for (const { field } of fields.terms) checkField(resource, field);
  const name = exactly(fields, "metadata.name");
  if (ctx.name && !fields.empty && name !== ctx.name) throw otherName();
  return {
    namespace,
    name: name ?? (ctx.name || undefined),
    indexValue: indexed ? exactly(fields, indexed) : undefined,
    matches: matcher(kind, labels, fields),
  };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

function exactly(fields: FieldSelector, wanted: string): string | undefined {
  return fields.terms.find(
    ({ field, operator }) => field === wanted && operator === "=",
  )?.value;
}

function matcher(kind: Kind, labels: LabelSelector, fields: FieldSelector) {
  return (object: KubeObject) =>
    (labels.empty || labels.matches(object.metadata.labels)) &&
    (fields.empty || fields.matches((field) => fieldOf(kind, object, field)));
}

function fieldOf(kind: Kind, object: KubeObject, field: string): string {
  if (field === "metadata.name") return object.metadata.name;
  if (field === "metadata.namespace") return object.metadata.namespace ?? "";
  return kind.selectable[field]?.(object as Obj) ?? "";
}

function otherName() {
  const why = "fieldSelector metadata.name doesn't match requested name";
  return badRequest(why);
}

/** A field that the kind cannot be selected by is refused. */
function checkField({ kind, custom }: Resource, field: string): void {
  if (field === "metadata.name" || kind.selectable[field]) return;
  const own = custom || Object.keys(kind.selectable).length > 0;
  const listed = custom || (own && SAYING_LITTLE.includes(kind.group));
  if (field === "metadata.namespace" && (kind.namespaced || !listed)) return;
  throw unknownField(kind, field, own, listed);
}

/** Groups whose kinds with fields of their own say least of a wrong one. */
const SAYING_LITTLE = ["", "certificates.k8s.io", "events.k8s.io"];

function unknownField(
  kind: Kind,
  field: string,
  own: boolean,
  listed: boolean,
) {
  if (listed) return badRequest(`field label not supported: ${field}`);
  if (own && kind.group === "batch") {
    return badRequest(
      `field label ${quote(field)} not supported for ${kind.kind}`,
    );
  }
  const known = ["metadata.name", "metadata.namespace"];
  const names = known.map((name) => `"${name}"`).join(", ");
  return badRequest(
    `${quote(field)} is not a known field selector: only ${names}`,
  );
}
