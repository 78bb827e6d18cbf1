/**
 * Kinds that are served and stored, and that nothing here acts on.
 * Models:     pkg/registry/{networking,storage,resource} @ v1.36
 * Leaves out: the validation of most; what clients send of them is kept.
 */
import { age, columns } from "../table.ts";
import { at, list, obj, str, strings } from "./access.ts";
import { defineKind, type KindOptions, metaOfOld } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import {
  serviceCidrChange,
  serviceCidrErrors,
} from "./servicecidr-validation.ts";
import {
  attributesClassChange,
  attributesClassErrors,
} from "./storage-validation.ts";

function stored(
  group: string,
  kind: string,
  more: Partial<KindOptions> = {},
): Kind {
  const namespaced = more.namespaced ?? false;
  return defineKind({ group, kind, ...more, namespaced });
}

const withStatus = { emptyStatus: {}, statusKeeps: metaOfOld };
const resources = "resource.k8s.io";

export const APIService = stored("apiregistration.k8s.io", "APIService", {
  categories: ["api-extensions"],
  metaBy: "extension",
  ...withStatus,
});

export const IPAddress = stored("networking.k8s.io", "IPAddress", {
  shortNames: ["ip"],
  columns: columns("Name|ParentRef"),
  row: (object) => ({ cells: [object.metadata.name, parentText(object)] }),
});

export const ServiceCIDR = stored("networking.k8s.io", "ServiceCIDR", {
  ...withStatus,
  validate: serviceCidrErrors,
  validateChange: serviceCidrChange,
  updateOrder: ["meta", "rules", "metaChange", "change"],
  columns: columns("Name|CIDRs|Age"),
  row: (object, now) => ({
    cells: [
      object.metadata.name,
      strings(at(object, "spec", "cidrs")).join(","),
      age(object, now),
    ],
  }),
});

export const VolumeAttributesClass = stored(
  "storage.k8s.io",
  "VolumeAttributesClass",
  {
    shortNames: ["vac"],
    validate: attributesClassErrors,
    validateChange: attributesClassChange,
    updateOrder: ["meta", "rules", "metaChange", "change", "meta", "rules"],
    columns: columns("Name|DriverName|Age"),
    row: (object, now) => ({
      cells: [object.metadata.name, str(object.driverName), age(object, now)],
    }),
  },
);

const named = {
  columns: columns("Name|Age"),
  row: (object: Obj, now: number) => ({
    cells: [object.metadata.name, age(object, now)],
  }),
};

export const DeviceClass = stored(resources, "DeviceClass", named);

export const ResourceClaim = stored(resources, "ResourceClaim", {
  namespaced: true,
  struct: "DynamicResourceClaim",
  ...withStatus,
  columns: columns("Name|State|Age"),
  row: (claim, now) => ({
    cells: [claim.metadata.name, claimState(claim), age(claim, now)],
  }),
});

function claimState({ metadata, status }: Obj): string {
  const { allocation, reservedFor } = obj(status);
  const gone = metadata.deletionTimestamp !== undefined;
  const states = [
    ...(gone ? ["deleted"] : []),
    ...(allocation ? ["allocated"] : gone ? [] : ["pending"]),
    ...(allocation && list(reservedFor).length > 0 ? ["reserved"] : []),
  ];
  return states.join(",");
}

export const ResourceClaimTemplate = stored(
  resources,
  "ResourceClaimTemplate",
  { namespaced: true, ...named },
);

export const ResourceSlice = stored(resources, "ResourceSlice", {
  selectable: {
    "spec.driver": (slice) => str(at(slice, "spec", "driver")),
    "spec.nodeName": (slice) => str(at(slice, "spec", "nodeName")),
  },
  columns: columns("Name|Node|Driver|Pool|Age"),
  row: (slice, now) => ({
    cells: [
      slice.metadata.name,
      str(at(slice, "spec", "nodeName")),
      str(at(slice, "spec", "driver")),
      str(at(slice, "spec", "pool", "name")),
      age(slice, now),
    ],
  }),
});
function parentText(object: Obj): string {
  const { group, resource, namespace, name } = obj(
    at(object, "spec", "parentRef"),
  );
  const kind = group ? `${str(resource)}.${str(group)}` : str(resource);
  return [kind, str(namespace), str(name)].filter(Boolean).join("/");
}
