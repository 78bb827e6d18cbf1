/**
 * The storage class of a claim or a volume.
 * Models: staging/src/k8s.io/component-helpers/storage/volume/helpers.go
 *         @ v1.36
 */
import type { ObjectMeta } from "../types.ts";

/** How the class was named before there was a field for it. */
export const OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

/** The old annotation comes before the field; "" if there is neither. */
export function storageClassOf({
  metadata,
  spec,
}: {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly storageClassName?: string };
}): string {
  return metadata.annotations?.[OLD_CLASS] ?? spec.storageClassName ?? "";
}
