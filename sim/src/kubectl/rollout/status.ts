/**
 * kubectl rollout status: says how far a rollout is, until it is over.
 * Models:     kubectl/pkg/cmd/rollout/rollout_status.go,
 *             kubectl/pkg/polymorphichelpers/rollout_status.go @ v1.36
 */
import { at, list, num, obj, str } from "../../api/kinds/access.ts";
import type { Kind, Obj } from "../../api/kinds/definition.ts";
import type { Json } from "../../api/types.ts";
import { flags, parseArgs, SELECT } from "../args.ts";
import { type Command, CommandError } from "../environment.ts";
import { find } from "../find.ts";
import { follow } from "../follow.ts";
import { groupKind } from "../print/table.ts";
import { parseDuration } from "../time.ts";
import { requireWords } from "./asked.ts";

interface Progress {
  readonly text: string;
  readonly done: boolean;
}

export const rolloutStatus: Command = async (argv, env) => {
  const table = flags("watch:value,w timeout:value revision:value", SELECT);
  const args = parseArgs(argv, table);
  requireWords(args);
  const { items, errors } = await find(args, args.words, env, {
    verb: "status",
    lists: true,
  });
  if (errors.length > 0) throw errors[0];
  const revision = args.int("revision") ?? 0;
  const timeout = parseDuration(args.get("timeout") ?? "0", "timeout");
  for (const { kind, object } of items) {
    const { name, namespace = "" } = object.metadata;
    const say = (seen: Obj): boolean => {
      const { text, done } = progressOf(kind, seen, revision);
      env.out(text);
      return done || args.get("watch") === "false";
    };
    const select = { fieldSelector: `metadata.name=${name}` };
    const timeoutMs = timeout > 0 ? timeout : undefined;
    const ended = await follow(
      env,
      { kind, namespace, select, timeoutMs },
      ({ type, object: seen }) => {
        if (type === "DELETED")
          throw new CommandError("object has been deleted");
        return say(seen);
      },
    );
    if (!ended) throw new CommandError("timed out waiting for the condition");
  }
  return 0;
};

function progressOf(kind: Kind, object: Obj, revision: number): Progress {
  if (kind.kind === "Deployment") return deploymentProgress(object, revision);
  if (kind.kind === "DaemonSet") return daemonSetProgress(object);
  if (kind.kind === "StatefulSet") return statefulSetProgress(object);
  throw new CommandError(
    `no status viewer has been implemented for ${groupKind(kind)}`,
  );
}

// region: deployment-progress
function deploymentProgress(object: Obj, revision: number): Progress {
  const { metadata, spec, status } = object;
  const { name, generation = 0, annotations = {} } = metadata;
  const { observedGeneration, conditions, ...counts } = obj(status);
  const current = Number(annotations["deployment.kubernetes.io/revision"] ?? 0);
  if (revision > 0 && revision !== current) {
    throw new CommandError(
      `desired revision (${revision}) is different from the running revision (${current})`,
    );
  }
  if (generation > num(observedGeneration)) {
    const text = "Waiting for deployment spec update to be observed...";
    return { text, done: false };
  }
  const progressing = list(conditions).find(
    ({ type }) => type === "Progressing",
  );
  if (progressing?.reason === "ProgressDeadlineExceeded") {
    throw new CommandError(
      `deployment "${name}" exceeded its progress deadline`,
    );
  }
  const wait = (what: string): Progress => ({
    text: `Waiting for deployment "${name}" rollout to finish: ${what}...`,
    done: false,
  });
  const wanted = at(spec as Json, "replicas");
  const [updated, total, available] = [
    num(counts.updatedReplicas),
    num(counts.replicas),
    num(counts.availableReplicas),
  ];
  if (typeof wanted === "number" && updated < wanted) {
    return wait(`${updated} out of ${wanted} new replicas have been updated`);
  }
  if (total > updated) {
    return wait(`${total - updated} old replicas are pending termination`);
  }
  if (available < updated) {
    return wait(`${available} of ${updated} updated replicas are available`);
  }
  const text = `deployment "${name}" successfully rolled out`;
  return { text, done: true };
}
// endregion: deployment-progress

function daemonSetProgress({ metadata, spec, status }: Obj): Progress {
  const { name, generation = 0 } = metadata;
  assertRolling(spec as Json, "updateStrategy");
  const counts = obj(status);
  if (generation > num(counts.observedGeneration)) {
    const text = "Waiting for daemon set spec update to be observed...";
    return { text, done: false };
  }
  const [wanted, updated, available] = [
    num(counts.desiredNumberScheduled),
    num(counts.updatedNumberScheduled),
    num(counts.numberAvailable),
  ];
  const head = `Waiting for daemon set "${name}" rollout to finish:`;
  if (updated < wanted) {
    const text = `${head} ${updated} out of ${wanted} new pods have been updated...`;
    return { text, done: false };
  }
  if (available < wanted) {
    const text = `${head} ${available} of ${wanted} updated pods are available...`;
    return { text, done: false };
  }
  return { text: `daemon set "${name}" successfully rolled out`, done: true };
}

function statefulSetProgress({ metadata, spec, status }: Obj): Progress {
  const { generation = 0 } = metadata;
  const type = assertRolling(spec as Json, "updateStrategy");
  const counts = obj(status);
  if (generation > num(counts.observedGeneration)) {
    const text = "Waiting for statefulset spec update to be observed...";
    return { text, done: false };
  }
  const wanted = num(at(spec as Json, "replicas"));
  const ready = num(counts.readyReplicas);
  if (ready < wanted) {
    const text = `Waiting for ${wanted - ready} pods to be ready...`;
    return { text, done: false };
  }
  const rolling = at(spec as Json, "updateStrategy", "rollingUpdate");
  const partition = at(rolling, "partition");
  const updated = num(counts.updatedReplicas);
  // A partition of 0 counts: it is there by default.
  if (type === "RollingUpdate" && typeof partition === "number") {
    if (updated < wanted - partition) {
      const text = `Waiting for partitioned roll out to finish: ${updated} out of ${wanted - partition} new pods have been updated...`;
      return { text, done: false };
    }
    const text = `partitioned roll out complete: ${updated} new pods have been updated...`;
    return { text, done: true };
  }
  if (counts.updateRevision !== counts.currentRevision) {
    const text = `waiting for statefulset rolling update to complete ${updated} pods at revision ${str(counts.updateRevision)}...`;
    return { text, done: false };
  }
  const text = `statefulset rolling update complete ${num(counts.currentReplicas)} pods at revision ${str(counts.currentRevision)}...`;
  return { text, done: true };
}

function assertRolling(spec: Json, field: string): string {
  const type = str(at(spec, field, "type"));
  if (type === "RollingUpdate") return type;
  throw new CommandError(
    "rollout status is only available for RollingUpdate strategy type",
  );
}
