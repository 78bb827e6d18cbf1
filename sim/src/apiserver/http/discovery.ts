/**
 * Discovery: which groups, versions and resources there are; by group as of
 * old, or all at once.
 * Models: apiserver/pkg/endpoints/discovery, kube-aggregator discovery @ v1.36
 */
import type { Kind, Subresource } from "../../api/kinds/definition.ts";
import type { JsonObject } from "../../api/types.ts";
import type { ApiServer } from "../server.ts";

const AGGREGATED = "apidiscovery.k8s.io/v2";
export const AGGREGATED_TYPE =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Resources of each group version, in the order of discovery. */
function groupsOf(server: ApiServer): Map<string, Map<string, Kind[]>> {
  const groups = new Map<string, Map<string, Kind[]>>();
  for (const { kind } of server.resources.all()) {
    if (kind.verbs.length === 0) continue;
    const versions = groups.get(kind.group) ?? new Map<string, Kind[]>();
    groups.set(kind.group, versions);
    const kinds = versions.get(kind.version) ?? [];
    versions.set(kind.version, kinds);
    kinds.push(kind);
  }
  return groups;
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
  const kinds = groupsOf(server).get(group)?.get(version);
  if (!kinds) return undefined;
  const resources = inOrder(kinds).flatMap((kind) => [
    entryOf(kind),
    ...kind.subresources
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((sub) => subEntry(kind, sub)),
  ]);
  const groupVersion = group ? `${group}/${version}` : version;
  // The core group says no version of the list itself.
  const head = group ? { apiVersion: "v1" } : {};
  return { kind: "APIResourceList", ...head, groupVersion, resources };
}

function entryOf(kind: Kind): JsonObject {
  return {
    name: kind.resource,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...listed("shortNames", kind.shortNames),
    ...listed("categories", kind.categories),
    ...storageHash(kind),
  };
}

function listed(name: string, values: readonly string[]): JsonObject {
  return values.length > 0 ? { [name]: values } : {};
}

/** Names the version in which objects are stored: the start of a SHA-256. */
function storageHash(kind: Kind): JsonObject {
  const hash = STORAGE_HASHES[`${kind.apiVersion}/${kind.resource}`];
  return hash ? { storageVersionHash: hash } : {};
}

const STORAGE_HASHES: { readonly [path: string]: string } = {};

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

function discoveryOf(kind: Kind): JsonObject {
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

function inOrder(kinds: readonly Kind[]): Kind[] {
  return kinds.toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
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
