/**
 * Profiles of `kubectl debug`: what a container may do that looks into others.
 * Models:     kubectl/pkg/cmd/debug/profiles.go @ v1.36
 */
import { list, obj } from "../../api/kinds/access.ts";
import type { JsonObject } from "../../api/types.ts";

/** A guest in a running Pod, a copy of a Pod, or a Pod on a Node. */
export type Style = "guest" | "copy" | "node";

export const PROFILES = [
  ...["legacy", "general", "baseline", "netadmin", "restricted", "sysadmin"],
];

type Spec = JsonObject;
type Change = (context: JsonObject) => JsonObject | undefined;

/** The Pod's spec with the profile's rights for `container`. */
export function withProfile(
  spec: Spec,
  profile: string,
  container: string,
  style: Style,
): Spec {
  const change = RIGHTS[profile]?.(style);
  let next = change ? withContext(spec, container, change) : spec;
  if (style === "copy" && profile !== "legacy")
    next = { shareProcessNamespace: true, ...next };
  if (style !== "node") return next;
  if (["legacy", "general", "sysadmin"].includes(profile))
    next = withRoot(next, container);
  if (["baseline", "restricted"].includes(profile)) return next;
  return { ...next, hostNetwork: true, hostPID: true, hostIPC: true };
}

const cleared: Change = () => undefined;

const RIGHTS: {
  readonly [profile: string]: (style: Style) => Change | undefined;
} = {
  legacy: () => undefined,
  general: (style) => (style === "node" ? cleared : adding("SYS_PTRACE")),
  baseline: () => cleared,
  netadmin: () => adding("NET_ADMIN", "NET_RAW"),
  restricted: () => () => ({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
  }),
  sysadmin: () => (context) => ({ ...context, privileged: true }),
};

function adding(...names: readonly string[]): Change {
  return (context) => {
    const capabilities = obj(context.capabilities);
    const before = (capabilities.add ?? []) as readonly string[];
    const add = [...before, ...names];
    return { ...context, capabilities: { ...capabilities, add } };
  };
}

const LISTS = ["containers", "initContainers", "ephemeralContainers"];

/** The first container of the name, wherever it is listed. */
export function withContainer(
  spec: Spec,
  name: string,
  change: (container: JsonObject) => JsonObject,
): Spec {
  const field = LISTS.find((one) =>
    list(spec[one]).some((container) => container.name === name),
  );
  if (!field) return spec;
  const changed = list(spec[field]).map((container) =>
    container.name === name ? change(container) : container,
  );
  return { ...spec, [field]: changed };
}

function withContext(spec: Spec, name: string, change: Change): Spec {
  return withContainer(spec, name, (container) => {
    const { securityContext, ...rest } = container;
    const next = change(obj(securityContext));
    return next ? { ...rest, securityContext: next } : rest;
  });
}

/** The Node's own files, at /host. */
function withRoot(spec: Spec, name: string): Spec {
  const volume = { name: "host-root", hostPath: { path: "/" } };
  const mount = { mountPath: "/host", name: volume.name };
  const mounted = withContainer(spec, name, (container) => {
    const volumeMounts = [...list(container.volumeMounts), mount];
    return { ...container, volumeMounts };
  });
  return { ...mounted, volumes: [...list(spec.volumes), volume] };
}
