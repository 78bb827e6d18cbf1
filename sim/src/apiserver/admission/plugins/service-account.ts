/**
 * ServiceAccount: every Pod runs as some account of its namespace, and gets
 * that account's token as a mounted volume.
 * Models: plugin/pkg/admission/serviceaccount/admission.go @ v1.36
 */
import { list, mapShared, obj, str } from "../../../api/kinds/access.ts";
import type { Obj } from "../../../api/kinds/definition.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import {
  type AdmissionPlugin,
  isPodWrite,
  refuse,
  type Target,
} from "../plugin.ts";
import { ENFORCE, mirrorProblem, secretProblem } from "../secrets.ts";

const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const MIRROR = "kubernetes.io/config.mirror";

export const serviceAccount: AdmissionPlugin = {
  name: "ServiceAccount",
  handles: (target) =>
    (isPodWrite(target) && target.operation === "CREATE") || isDebug(target),
  mutate(ctx) {
    if (ctx.old) return;
    const pod = ctx.object!;
    if (pod.metadata.annotations?.[MIRROR] !== undefined) return;
    const spec = obj(pod.spec as Json);
    const name = str(spec.serviceAccountName) || "default";
    const account = accountOf(ctx, name);
    let next: JsonObject = spec;
    if (spec.serviceAccountName !== name) {
      next = { ...next, serviceAccountName: name, serviceAccount: name };
    }
    if (wantsToken(account, spec)) next = withToken(ctx, next);
    const pull = account.imagePullSecrets as Json;
    if (list(spec.imagePullSecrets).length === 0 && list(pull).length > 0) {
      next = { ...next, imagePullSecrets: pull };
    }
    if (next !== spec) ctx.object = { ...pod, spec: next };
  },
  validate(ctx) {
    const { metadata } = ctx.object!;
    const spec = obj(ctx.object!.spec as Json);
    let why = "";
    if (metadata.annotations?.[MIRROR] === undefined) {
      const account = accountOf(ctx, str(spec.serviceAccountName));
      const limits = account.metadata.annotations?.[ENFORCE] !== undefined;
      if (limits) why = secretProblem(account, spec);
    } else why = mirrorProblem(spec);
    if (why) throw refuse(ctx, why);
  },
};

/** A container that is added to look around may not see more Secrets. */
function isDebug({ operation, resource, subresource }: Target): boolean {
  const added = subresource === "ephemeralcontainers";
  return operation === "UPDATE" && resource === "pods" && added;
}

function accountOf(ctx: RequestContext, name: string): Obj {
  const accounts = ctx.server.storageOf("serviceaccounts");
  const found = accounts.get(ctx.namespace, name);
  if (found) return found;
  const why = `serviceaccount "${name}" not found`;
  throw refuse(
    ctx,
    `error looking up service account ${ctx.namespace}/${name}: ${why}`,
  );
}

/** The Pod's own word counts, then the account's; nothing said means yes. */
function wantsToken(account: Obj, spec: JsonObject): boolean {
  const field = "automountServiceAccountToken";
  return (spec[field] ?? account[field] ?? true) !== false;
}

function withToken(ctx: RequestContext, spec: JsonObject): JsonObject {
  const mounted = (container: JsonObject) =>
    list(container.volumeMounts).some((m) => m.mountPath === MOUNT_PATH);
  const all = [...list(spec.initContainers), ...list(spec.containers)];
  if (all.every(mounted)) return spec;
  const existing = list(spec.volumes).find((volume) =>
    str(volume.name).startsWith("kube-api-access-"),
  );
  const name = existing
    ? str(existing.name)
    : `kube-api-access-${ctx.server.names.suffix()}`;
  const mount = { name, readOnly: true, mountPath: MOUNT_PATH };
  const withMount = (container: JsonObject): JsonObject => {
    if (mounted(container)) return container;
    const volumeMounts = list(container.volumeMounts).concat(mount);
    return { ...container, volumeMounts };
  };
  const next: Record<string, Json> = {
    ...spec,
    containers: mapShared(spec.containers, withMount),
  };
  if (spec.initContainers) {
    next.initContainers = mapShared(spec.initContainers, withMount);
  }
  if (!existing) {
    next.volumes = list(spec.volumes).concat({
      name,
      projected: TOKEN_SOURCES,
    });
  }
  return next;
}

/** Token, the cluster's CA, and the namespace's name: shared by all Pods. */
const TOKEN_SOURCES: JsonObject = Object.freeze({
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
    {
      configMap: {
        name: "kube-root-ca.crt",
        items: [{ key: "ca.crt", path: "ca.crt" }],
      },
    },
    {
      downwardAPI: {
        items: [
          {
            path: "namespace",
            fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
          },
        ],
      },
    },
  ],
  defaultMode: 420,
});
