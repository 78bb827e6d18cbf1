/**
 * kubectl describe: an object in words, with what belongs to it and what
 * happened to it.
 * Models:     kubectl/pkg/cmd/describe/describe.go @ v1.36
 */
import { obj } from "../api/kinds/access.ts";
import type { Kind, Obj } from "../api/kinds/definition.ts";
import { isNotFound } from "../api/status.ts";
import { type Args, flags, parseArgs, SELECT } from "./args.ts";
import {
  describeIpAddress,
  describeServiceCidr,
} from "./describe/addresses.ts";
import { describeAutoscaler } from "./describe/autoscaler.ts";
import { describeBudget } from "./describe/budget.ts";
import { describeCertificateRequest } from "./describe/certificate.ts";
import {
  describeAttributesClass,
  describeCsiNode,
  describePriorityClass,
  describeStorageClass,
} from "./describe/classes.ts";
import {
  describeConfigMap,
  describeNamespace,
  describeSecret,
  describeServiceAccount,
} from "./describe/config.ts";
import {
  describeEndpointSlice,
  describeEndpoints,
} from "./describe/endpoints.ts";
import { describeGeneric } from "./describe/generic.ts";
import { describeIngress, describeIngressClass } from "./describe/ingress.ts";
import { describeCronJob, describeJob } from "./describe/job.ts";
import { describeNetworkPolicy } from "./describe/network-policy.ts";
import { describeNode } from "./describe/node.ts";
import { describePod } from "./describe/pod.ts";
import { describeLimitRange, describeQuota } from "./describe/quota.ts";
import { describeRole, describeRoleBinding } from "./describe/rbac.ts";
import { describeService } from "./describe/service.ts";
import { describeClaim, describeVolume } from "./describe/storage.ts";
import type { Describer } from "./describe/subject.ts";
import {
  describeDaemonSet,
  describeDeployment,
  describeReplicaSet,
  describeStatefulSet,
} from "./describe/workloads.ts";
import { Writer } from "./describe/writer.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Finding, type Found, find, listOf } from "./find.ts";
import { itemsOf } from "./objects.ts";

const FLAGS = flags("show-events chunk-size:value", SELECT);

const DESCRIBERS: { readonly [kind: string]: Describer } = {
  Pod: describePod,
  Node: describeNode,
  Service: describeService,
  Deployment: describeDeployment,
  ReplicaSet: describeReplicaSet,
  ReplicationController: describeReplicaSet,
  DaemonSet: describeDaemonSet,
  StatefulSet: describeStatefulSet,
  Job: describeJob,
  CronJob: describeCronJob,
  ConfigMap: describeConfigMap,
  Secret: describeSecret,
  ServiceAccount: describeServiceAccount,
  Namespace: describeNamespace,
  PersistentVolumeClaim: describeClaim,
  PersistentVolume: describeVolume,
  PodDisruptionBudget: describeBudget,
  ResourceQuota: describeQuota,
  LimitRange: describeLimitRange,
  Endpoints: describeEndpoints,
  EndpointSlice: describeEndpointSlice,
  HorizontalPodAutoscaler: describeAutoscaler,
  Ingress: describeIngress,
  IngressClass: describeIngressClass,
  NetworkPolicy: describeNetworkPolicy,
  Role: describeRole,
  ClusterRole: describeRole,
  RoleBinding: describeRoleBinding,
  ClusterRoleBinding: describeRoleBinding,
  CertificateSigningRequest: describeCertificateRequest,
  PriorityClass: describePriorityClass,
  StorageClass: describeStorageClass,
  CSINode: describeCsiNode,
  VolumeAttributesClass: describeAttributesClass,
  ServiceCIDR: describeServiceCidr,
  IPAddress: describeIpAddress,
};

export const describe: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  if (args.words.length === 0 && args.all("filename").length === 0) {
    throw new CommandError(
      "You must specify the type of resource to describe. Use " +
        '"kubectl api-resources" for a complete list of supported resources.',
    );
  }
  const finding = await find(args, args.words, env, {
    verb: "describe",
    lists: true,
  });
  const { items, errors, byPrefix } = await orByPrefix(finding, args, env);
  const showEvents = args.get("show-events") !== "false";
  const texts: string[] = [];
  for (const { kind, object } of items)
    texts.push(await textOf(kind, object, env, showEvents));
  if (texts.length > 0) {
    // Those found by the beginning of their name end with an empty line.
    const text = byPrefix ? `${texts.join("\n")}\n` : texts.join("\n\n");
    env.out(text.replace(/\n$/, ""));
  }
  if (texts.length === 0 && errors.length === 0) {
    const namespace = args.get("namespace") ?? "default";
    // Upstream names a Namespace even where the kind has none.
    const where = args.on("all-namespaces")
      ? ""
      : ` in ${namespace} namespace.`;
    env.err(`No resources found${where}`);
  }
  throwAll(errors);
  return 0;
};

async function textOf(
  kind: Kind,
  object: Obj,
  env: Environment,
  showEvents: boolean,
): Promise<string> {
  const w = new Writer();
  const { spec, status } = object;
  const common = { env, kind, object, w, showEvents };
  // Custom kinds may have the same names.
  const builtIn = !kind.group.includes(".") || kind.group.endsWith(".k8s.io");
  const own = builtIn ? DESCRIBERS[kind.kind] : undefined;
  const describer = own ?? describeGeneric;
  await describer({ ...common, spec: obj(spec), status: obj(status) });
  return w.toString();
}

/** One name that is not found may be the beginning of others. */
async function orByPrefix(
  finding: Finding,
  args: Args,
  env: Environment,
): Promise<Pick<Finding, "items" | "errors"> & { byPrefix: boolean }> {
  const { asked, items, errors } = finding;
  const [only, ...more] = asked.named;
  const missing = errors.length === 1 && isNotFound(errors[0]);
  const asIs = { items, errors, byPrefix: false };
  if (!only || more.length > 0 || !missing) return asIs;
  const all = await listOf(only.kind, args, env);
  const found = itemsOf(all)
    .filter(({ metadata }) => metadata.name.startsWith(only.name))
    .map((object): Found => ({ kind: only.kind, object }));
  return found.length > 0 ? { items: found, errors: [], byPrefix: true } : asIs;
}
