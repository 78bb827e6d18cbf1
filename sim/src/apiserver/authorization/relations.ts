/**
 * Which objects concern a node: those that its Pods mention, and what these
 * mention in turn.
 * Models: plugin/pkg/auth/authorizer/node/{graph,node_authorizer}.go @ v1.36
 */
import { at, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { Json } from "../../api/types.ts";
import { objectKey } from "../registry/keys.ts";
import type { WatchCache } from "../registry/watch-cache.ts";
import { mentions } from "./pod-references.ts";
import type { Attributes } from "./rule.ts";

type Related = (this: Relations, node: string, a: Attributes) => boolean;

/** By group and resource; what is not here concerns every node. */
const RELATED: { readonly [resource: string]: Related } = {
  "/secrets": viaPods,
  "/configmaps": viaPods,
  "/serviceaccounts": viaPods,
  "/persistentvolumeclaims": viaPods,
  "/persistentvolumes": viaClaim,
  "/pods": isBound,
  "storage.k8s.io/volumeattachments": isAttached,
};

export class Relations {
  readonly cacheOf: (resource: string) => WatchCache;

  constructor(cacheOf: (resource: string) => WatchCache) {
    this.cacheOf = cacheOf;
  }

  /** "" if every node may, `a Pod on …` if it is related, else why not. */
  of(node: string, a: Attributes): string {
    const related = RELATED[`${a.group}/${a.resource}`];
    if (!related) return "";
    if (!a.name) return "No Object name found";
    return related.call(this, node, a)
      ? `a Pod on ${node} mentions it`
      : `no relationship found between node '${node}' and this object`;
  }

  /** As stored; undefined if there is none. */
  get(resource: string, namespace: string, name: string): Obj | undefined {
    const found = this.cacheOf(resource).get(objectKey(namespace, name));
    return found as Obj | undefined;
  }
}

function viaPods(this: Relations, node: string, a: Attributes): boolean {
  const pods = this.cacheOf("pods").listByIndex(node);
  return pods.some((pod) => mentions(pod, a));
}

/** A disk, by the claim that it is bound to. */
function viaClaim(this: Relations, node: string, a: Attributes): boolean {
  const disk = this.get("persistentvolumes", "", a.name ?? "");
  const claim = at(disk?.spec as Json, "claimRef");
  const namespace = str(at(claim, "namespace"));
  const name = str(at(claim, "name"));
  const resource = "persistentvolumeclaims";
  return (
    name !== "" && viaPods.call(this, node, { ...a, resource, namespace, name })
  );
}

function isBound(this: Relations, node: string, a: Attributes): boolean {
  const pod = this.get("pods", a.namespace ?? "", a.name ?? "");
  return at(pod?.spec as Json, "nodeName") === node;
}

function isAttached(this: Relations, node: string, a: Attributes): boolean {
  const attachment = this.get("volumeattachments", "", a.name ?? "");
  return at(attachment?.spec as Json, "nodeName") === node;
}
