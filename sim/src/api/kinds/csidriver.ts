/**
 * CSIDriver: what a storage driver can do and wants.
 * Models: pkg/registry/storage/csidriver/strategy.go, pkg/apis/storage/v1/defaults.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str, strings } from "./access.ts";
import { csiDriverChange, csiDriverErrors } from "./csi-validation.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/storage.ts";

export type CSIDriver = types.CSIDriver;

export const CSIDriver: Kind<CSIDriver> = defineKind<CSIDriver>({
  group: "storage.k8s.io",
  kind: "CSIDriver",
  namespaced: false,
  generationOf: ["spec"],
  hooks: { CSIDriverSpec: lifecycleModes },
  columns: columns(
    "Name|AttachRequired?|PodInfoOnMount?|StorageCapacity?|TokenRequests|RequiresRepublish?|Modes|Age",
  ),
  row: (object, now) => {
    const spec = obj(object.spec);
    const audiences = list(spec.tokenRequests).map((request) =>
      str(request.audience),
    );
    return {
      cells: [
        object.metadata.name,
        spec.attachRequired !== false,
        spec.podInfoOnMount === true,
        spec.storageCapacity === true,
        spec.tokenRequests === undefined ? "<unset>" : audiences.join(","),
        spec.requiresRepublish === true,
        strings(spec.volumeLifecycleModes).join(",") || "<none>",
        age(object, now),
      ],
    };
  },
  validate: csiDriverErrors,
  validateChange: csiDriverChange,
  updateOrder: ["meta", "rules", "metaChange", "rules", "change"],
  allowUnconditionalUpdate: false,
});

function lifecycleModes(spec: JsonObject): JsonObject {
  return spec.volumeLifecycleModes === undefined
    ? { ...spec, volumeLifecycleModes: ["Persistent"] }
    : spec;
}
