/**
 * DefaultStorageClass, StorageObjectInUseProtection and
 * PersistentVolumeClaimResize: what claims and volumes get without asking.
 * Models: plugin/pkg/admission/storage/{storageclass/setdefault,
 *         storageobjectinuseprotection,persistentvolume/resize} @ v1.36
 */

import {
  OLD_CLASS,
  storageClassOf,
} from "../../../api/helpers/storage-class.ts";
import { at, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import { compareQuantities, parseQuantity } from "../../../api/quantity.ts";
import type { Json } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { type AdmissionPlugin, refuse, type Target } from "../plugin.ts";

const IS_DEFAULT = "storageclass.kubernetes.io/is-default-class";
const IS_DEFAULT_BETA = "storageclass.beta.kubernetes.io/is-default-class";
const CLAIMS = "persistentvolumeclaims";

function creates({ operation, subresource }: Target): boolean {
  return operation === "CREATE" && subresource === "";
}

export const defaultStorageClass: AdmissionPlugin = {
  name: "DefaultStorageClass",
  handles: (target) => creates(target) && target.resource === CLAIMS,
  mutate(ctx) {
    const claim = ctx.object!;
    const spec = obj(claim.spec as Json);
    if (claim.metadata.annotations?.[OLD_CLASS] !== undefined) return;
    if (spec.storageClassName !== undefined) return;
    const found = newestDefault(ctx);
    if (!found) return;
    const storageClassName = found.metadata.name;
    ctx.object = { ...claim, spec: { ...spec, storageClassName } };
  },
};

/** Of several default classes the newest; of equal ones the first name. */
function newestDefault(ctx: RequestContext): Obj | undefined {
  const classes = ctx.server.storageOf("storageclasses").cache.list("");
  const defaults = classes.filter(({ metadata: { annotations } }) =>
    [IS_DEFAULT, IS_DEFAULT_BETA].some((key) => annotations?.[key] === "true"),
  );
  const createdOf = (one: { metadata: { creationTimestamp?: string } }) =>
    one.metadata.creationTimestamp ?? "";
  defaults.sort((a, b) => (createdOf(a) < createdOf(b) ? 1 : -1));
  const [newest] = defaults;
  const equal = defaults.filter((one) => createdOf(one) === createdOf(newest!));
  equal.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return equal[0] as Obj | undefined;
}

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  handles: (target) =>
    creates(target) && [CLAIMS, "persistentvolumes"].includes(target.resource),
  mutate(ctx) {
    const object = ctx.object!;
    const what = ctx.request.resource === CLAIMS ? "pvc" : "pv";
    const finalizer = `kubernetes.io/${what}-protection`;
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes(finalizer)) return;
    const metadata = {
      ...object.metadata,
      finalizers: [...finalizers, finalizer],
    };
    ctx.object = { ...object, metadata };
  },
};

export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: "PersistentVolumeClaimResize",
  handles: ({ operation, resource, subresource }) =>
    operation === "UPDATE" && resource === CLAIMS && subresource === "",
  validate(ctx) {
    const [before, after] = [sizeOf(ctx.old), sizeOf(ctx.object)];
    if (!before || !after) return;
    const grows = compareQuantities(
      parseQuantity(after),
      parseQuantity(before),
    );
    if (grows <= 0) return;
    if (at(ctx.old!.status as Json, "phase") !== "Bound") {
      throw refuse(ctx, "Only bound persistent volume claims can be expanded");
    }
    const name = classOf(ctx.object!);
    const found = ctx.server.storageOf("storageclasses").get("", name);
    const same = name === classOf(ctx.old!);
    if (same && found?.allowVolumeExpansion === true) return;
    const why =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
    throw refuse(ctx, why);
  },
};

function classOf({ metadata, spec }: Obj): string {
  const storageClassName = str(at(spec as Json, "storageClassName"));
  return storageClassOf({ metadata, spec: { storageClassName } });
}

function sizeOf(claim: Obj | undefined): string {
  return str(at(claim?.spec as Json, "resources", "requests", "storage"));
}
