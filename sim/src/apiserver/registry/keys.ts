/**
 * Where in etcd a kind's objects lie. Most are under their resource's name;
 * the oldest kinds keep the names of their first days.
 * Models: pkg/registry/core/rest/storage_core.go, pkg/kubeapiserver/
 *         default_storage_factory_builder.go @ v1.36
 */
import type { ResourceRef } from "../../api/resource.ts";

const SPECIAL: { readonly [resource: string]: string } = {
  nodes: "minions",
  services: "services/specs",
  endpoints: "services/endpoints",
  replicationcontrollers: "controllers",
  ingresses: "ingress",
  customresourcedefinitions: "apiextensions.k8s.io/customresourcedefinitions",
  apiservices: "apiregistration.k8s.io/apiservices",
};

/** `/registry/deployments/`; kinds of an extension keep their group. */
export function storagePrefix(ref: ResourceRef, custom: boolean): string {
  if (custom) return `/registry/${ref.group}/${ref.resource}/`;
  return `/registry/${SPECIAL[ref.resource] ?? ref.resource}/`;
}

/** `default/web`, or `web` of a cluster-wide kind. */
export function objectKey(namespace: string, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
