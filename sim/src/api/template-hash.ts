/**
 * The hash that names ReplicaSets: web-5d59d67564.
 * Models:     pkg/controller/controller_utils.go ComputeHash @ v1.36
 * Try:        leave the image out of the template and roll out a new one.
 */
import { fnv1aText, fnv1Text, safeEncode, withCollisionCount } from "./hash.ts";
import { printTemplate } from "./template-hash/go-print.ts";
import type { JsonObject } from "./types.ts";

/**
 * `pod-template-hash` of a Pod template (defaults filled in, as stored). The
 * count tells how often that name was taken by another template.
 */
export function podTemplateHash(
  template: JsonObject,
  collisionCount?: number | null,
): string {
  const hash = fnv1aText(printTemplate(template));
  return safeEncode(String(withCollisionCount(hash, collisionCount)));
}

/**
 * The hash of a ControllerRevision, of StatefulSets and DaemonSets. `data` is
 * the JSON text it holds; `probe` counts collisions.
 * Models: pkg/controller/history HashControllerRevision.
 */
export function revisionHash(data: string, probe?: number | null): string {
  const counted =
    probe === undefined || probe === null ? data : `${data}${probe}`;
  return safeEncode(String(fnv1Text(counted)));
}
