/**
 * Pod: containers that run together on one Node.
 * Models: pkg/registry/core/pod/strategy.go, pkg/apis/core/v1/defaults.go @ v1.36
 */
import { at, str } from "./access.ts";
import { defineKind, statusSubresource } from "./define.ts";
import type { Kind } from "./definition.ts";
import { podDefaults } from "./pod-defaults.ts";
import { prepareResize, resizeErrors } from "./pod-resize.ts";
import { preparePod, preparePodUpdate } from "./pod-strategy.ts";
import { podColumns, podRow } from "./pod-table.ts";
import { podChange, podStatusChange } from "./pod-update.ts";
import { newPodErrors, podErrors } from "./pod-validation.ts";
import { ephemeralChange } from "./pod-validation-ephemeral.ts";
import type * as types from "./types/pod.ts";

export type * from "./types/containers.ts";
export type { LabelSelector, LabelSelectorRequirement } from "./types/meta.ts";
export type * from "./types/pod.ts";
export type * from "./types/volumes.ts";
export type Pod = types.Pod;

export const Pod: Kind<Pod> = defineKind<Pod>({
  kind: "Pod",
  shortNames: ["po"],
  categories: ["all"],
  subresources: [
    { name: "attach", verbs: ["create", "get"], kind: "PodAttachOptions" },
    { name: "binding", verbs: ["create"], kind: "Binding" },
    { name: "ephemeralcontainers", verbs: ["get", "patch", "update"] },
    {
      name: "eviction",
      verbs: ["create"],
      kind: "Eviction",
      group: "policy",
      version: "v1",
    },
    { name: "exec", verbs: ["create", "get"], kind: "PodExecOptions" },
    { name: "log", verbs: ["get"] },
    {
      name: "portforward",
      verbs: ["create", "get"],
      kind: "PodPortForwardOptions",
    },
    {
      name: "proxy",
      verbs: ["create", "delete", "get", "patch", "update"],
      kind: "PodProxyOptions",
    },
    { name: "resize", verbs: ["get", "patch", "update"] },
    statusSubresource,
  ],
  hooks: { Pod: podDefaults },
  emptyStatus: {},
  generationOf: ["spec"],
  statusKeeps: ["ownerReferences"],
  selectable: {
    "spec.nodeName": (pod) => str(at(pod, "spec", "nodeName")),
    "spec.restartPolicy": (pod) => str(at(pod, "spec", "restartPolicy")),
    "spec.schedulerName": (pod) => str(at(pod, "spec", "schedulerName")),
    "spec.serviceAccountName": (pod) =>
      str(at(pod, "spec", "serviceAccountName")),
    "spec.hostNetwork": (pod) => `${at(pod, "spec", "hostNetwork") === true}`,
    "status.phase": (pod) => str(at(pod, "status", "phase")),
    "status.podIP": (pod) => str(at(pod, "status", "podIP")),
    "status.nominatedNodeName": (pod) =>
      str(at(pod, "status", "nominatedNodeName")),
  },
  columns: podColumns,
  row: podRow,
  validate: podErrors,
  validateNew: newPodErrors,
  validateChange: podChange,
  validateStatusChange: podStatusChange,
  onCreate: preparePod,
  onUpdate: preparePodUpdate,
  changes: {
    ephemeralcontainers: ephemeralChange,
    resize: { prepare: prepareResize, errors: resizeErrors },
  },
});
