/**
 * VolumeAttachment: a volume that is, or should be, attached to a Node.
 * Models: pkg/registry/storage/volumeattachment/strategy.go @ v1.36
 */
import { invalid } from "../field-error.ts";
import { age, columns } from "../table.ts";
import { at, obj, same, str } from "./access.ts";
import { attachmentErrors, newAttachmentErrors } from "./csi-validation.ts";
import { defineKind, metaOfOld } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/storage.ts";

export type VolumeAttachment = types.VolumeAttachment;

export const VolumeAttachment: Kind<VolumeAttachment> =
  defineKind<VolumeAttachment>({
    group: "storage.k8s.io",
    kind: "VolumeAttachment",
    namespaced: false,
    emptyStatus: { attached: false },
    statusKeeps: metaOfOld,
    columns: columns("Name|Attacher|PV|Node|Attached?|Age").map((column) =>
      column.name === "Attacher" ? { ...column, format: "name" } : column,
    ),
    row: (object, now) => {
      const spec = obj(object.spec);
      return {
        cells: [
          object.metadata.name,
          str(spec.attacher),
          str(at(spec, "source", "persistentVolumeName")),
          str(spec.nodeName),
          at(object, "status", "attached") === true,
          age(object, now),
        ],
      };
    },
    validate: attachmentErrors,
    validateNew: newAttachmentErrors,
    updateOrder: ["meta", "rules", "meta", "rules", "change"],
    allowUnconditionalUpdate: false,
    validateChange: (object, old) =>
      same(object.spec, old.spec)
        ? []
        : [invalid("spec", object.spec, "field is immutable")],
  });
