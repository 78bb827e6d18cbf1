/**
 * Discovery: which groups, versions and resources there are; by group as of
 * old, or all at once.
 * Models: apiserver/pkg/endpoints/discovery, kube-aggregator discovery @ v1.36
 */
import type { Kind, Subresource } from "../../api/kinds/definition.ts";
import type { JsonObject } from "../../api/types.ts";
import type { Resource } from "../registry/resource.ts";
import type { ApiServer } from "../server.ts";
import { storageVersionHash } from "./version-hash.ts";

const AGGREGATED = "apidiscovery.k8s.io/v2";
export const AGGREGATED_TYPE =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Groups in the order of their priority; extensions follow by name. */
const GROUP_ORDER = [
  ...["", "apiregistration.k8s.io", "apps", "events.k8s.io"],
  ...["authentication.k8s.io", "authorization.k8s.io", "autoscaling", "batch"],
  ...["certificates.k8s.io", "networking.k8s.io", "policy"],
  ...["rbac.authorization.k8s.io", "storage.k8s.io"],
  ...["admissionregistration.k8s.io", "apiextensions.k8s.io"],
  ...["scheduling.k8s.io", "coordination.k8s.io", "node.k8s.io"],
  ...["discovery.k8s.io", "resource.k8s.io", "flowcontrol.apiserver.k8s.io"],
];

function place(group: string): number {
  const at = GROUP_ORDER.indexOf(group);
  return at < 0 ? GROUP_ORDER.length : at;
}

type Versions = Map<string, Resource[]>;

/** Resources of each group version, in the order of discovery. */
function groupsOf(server: ApiServer): Map<string, Versions> {
  const groups = new Map<string, Versions>();
  for (const resource of server.resources.all()) {
    const { kind } = resource;
    if (kind.verbs.length === 0) continue;
    const versions: Versions = groups.get(kind.group) ?? new Map();
    groups.set(kind.group, versions);
    const resources = versions.get(kind.version) ?? [];
    versions.set(kind.version, resources);
    resources.push(resource);
  }
  const ordered = [...groups].toSorted(
    ([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1),
  );
  return new Map(ordered);
}

/** GET /api */
export function coreVersions(): JsonObject {
  const address = { clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" };
  const serverAddressByClientCIDRs = [address];
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
}

/** GET /apis */
export function groupList(server: ApiServer): JsonObject {
  const groups: JsonObject[] = [];
  for (const [name, versions] of groupsOf(server)) {
    if (name !== "") groups.push(groupOf(name, [...versions.keys()]));
  }
  return { kind: "APIGroupList", apiVersion: "v1", groups };
}

function groupOf(name: string, names: readonly string[]): JsonObject {
  const versions = preferred(names).map((version) => {
    return { groupVersion: `${name}/${version}`, version };
  });
  return { name, versions, preferredVersion: versions[0] };
}

/** GET /apis/GROUP; undefined if there is no such group. */
export function oneGroup(
  server: ApiServer,
  name: string,
): JsonObject | undefined {
  const versions = groupsOf(server).get(name);
  if (!versions || name === "") return undefined;
  const group = groupOf(name, [...versions.keys()]);
  return { kind: "APIGroup", apiVersion: "v1", ...group };
}

/** GET /apis/GROUP/VERSION; undefined if there is none. */
export function resourceList(
  server: ApiServer,
  group: string,
  version: string,
): JsonObject | undefined {
  const found = groupsOf(server).get(group)?.get(version);
  if (!found) return undefined;
  const resources = inOrder(found).flatMap((resource) => [
    entryOf(resource),
    ...resource.kind.subresources
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((sub) => subEntry(resource.kind, sub)),
  ]);
  const groupVersion = group ? `${group}/${version}` : version;
  // The core group says no version of the list itself.
  const head = group ? { apiVersion: "v1" } : {};
  return { kind: "APIResourceList", ...head, groupVersion, resources };
}

function entryOf(resource: Resource): JsonObject {
  const { kind } = resource;
  return {
    name: kind.resource,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...listed("shortNames", kind.shortNames),
    ...listed("categories", kind.categories),
    ...storageHash(resource),
  };
}

function listed(name: string, values: readonly string[]): JsonObject {
  return values.length > 0 ? { [name]: values } : {};
}

/** Names the version in which objects are stored. */
function storageHash({ storage, kind }: Resource): JsonObject {
  if (!storage) return {};
  const { group, version } = storage.kind;
  const hash = storageVersionHash(group, version, kind.kind);
  return { storageVersionHash: hash };
}

function subEntry(kind: Kind, sub: Subresource): JsonObject {
  const other = sub.group
    ? { group: sub.group, version: sub.version ?? "v1" }
    : {};
  return {
    name: `${kind.resource}/${sub.name}`,
    singularName: "",
    namespaced: kind.namespaced,
    ...other,
    kind: sub.kind ?? kind.kind,
    verbs: sub.verbs,
  };
}

/** GET /api or /apis, aggregated. */
export function aggregated(server: ApiServer, core: boolean): JsonObject {
  const items: JsonObject[] = [];
  for (const [name, versions] of groupsOf(server)) {
    if ((name === "") !== core) continue;
    const entries = preferred([...versions.keys()]).map((version) => ({
      version,
      resources: inOrder(versions.get(version)!).map(discoveryOf),
      freshness: "Current",
    }));
    items.push({ metadata: name ? { name } : {}, versions: entries });
  }
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: AGGREGATED,
    metadata: {},
    items,
  };
}

function discoveryOf({ kind }: Resource): JsonObject {
  const subresources = kind.subresources
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((sub) => ({
      subresource: sub.name,
      responseKind: {
        group: sub.group ?? "",
        version: sub.group ? (sub.version ?? "v1") : "",
        kind: sub.kind ?? kind.kind,
      },
      verbs: sub.verbs,
    }));
  return {
    resource: kind.resource,
    responseKind: { group: "", version: "", kind: kind.kind },
    scope: kind.namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...listed("shortNames", kind.shortNames),
    ...listed("categories", kind.categories),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

function inOrder(resources: readonly Resource[]): Resource[] {
  return resources.toSorted((a, b) =>
    a.kind.resource < b.kind.resource ? -1 : 1,
  );
}

/** The preferred version first: v2 before v1, v1 before v1beta1. */
function preferred(versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => rank(b) - rank(a));
}

function rank(version: string): number {
  const [, major = "0", stage, minor = "0"] =
    /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  const stable = stage === undefined ? 2 : stage === "beta" ? 1 : 0;
  return stable * 1e6 + Number(major) * 1e3 + Number(minor);
}
