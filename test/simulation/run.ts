/** One seed from beginning to end: the run, the laws, and the quiet after it. */
import { list, num, obj, str } from "../../sim/src/api/kinds/access.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import { createSession, type Session } from "../../sim/src/index.ts";
import { CALM_MS, CONVERGE_MS, type Plan, planOf } from "./plan.ts";
import { Broken, controllerUid, isActive, isReady, keyOf, Safety } from "./safety.ts";

export interface Outcome {
  readonly seed: number;
  /** Absent if all laws held. */
  readonly failure?: { readonly atMs: number; readonly message: string };
  /** From the last fault's end until all was as asked for, in ms. */
  readonly convergedMs?: number;
  readonly writes: number;
  readonly steps: number;
}

/** How often it is asked whether all is as asked for, in ms. */
const LOOK_MS = 1_000;

/** Runs a seed, up to a moment if `untilMs` says so. */
export async function simulate(
  seed: number,
  options: {
    untilMs?: number;
    trace?: "off" | "full";
    onSession?: (session: Session) => void;
  } = {},
): Promise<Outcome> {
  const plan = planOf(seed);
  const { scenario, inputs } = plan;
  const session = createSession({ seed, scenario, inputs, trace: options.trace ?? "off" });
  options.onSession?.(session);
  const { kernel } = session;
  const safety = new Safety(plan);
  let brokenMs = 0;
  let broken: unknown;
  session.cluster.onWrite((write) => {
    if (broken) return;
    try {
      safety.look(write);
    } catch (error) {
      broken = error;
      brokenMs = kernel.now();
    }
  });
  watchAnswers(session, safety, (error) => {
    broken ??= error;
    brokenMs ||= kernel.now();
  });
  const end = Math.min(options.untilMs ?? Number.POSITIVE_INFINITY, CALM_MS + CONVERGE_MS);
  let convergedMs: number | undefined;
  try {
    while (kernel.now() < end && !broken && convergedMs === undefined) {
      const untilMs = Math.min(end, Math.max(CALM_MS, kernel.now() + LOOK_MS));
      await session.run({ untilMs, stopWhen: () => broken !== undefined });
      const calm = kernel.now() > CALM_MS + LOOK_MS;
      if (calm && unmet(safety).length === 0) convergedMs = kernel.now() - CALM_MS;
    }
    if (!broken && convergedMs !== undefined) stored(session, safety, plan);
    if (!broken && convergedMs === undefined && options.untilMs === undefined) {
      throw new Broken(
        `not converged ${CONVERGE_MS / 1000} s after the faults: ${unmet(safety).join("; ")}`,
      );
    }
  } catch (error) {
    broken ??= error;
  }
  const { writes } = safety;
  const done = { seed, convergedMs, writes, steps: kernel.trace.lastId };
  if (!broken) return done;
  return { ...done, failure: { atMs: brokenMs || kernel.now(), message: textOf(broken) } };
}

/** What a client was told is stored was indeed committed. */
function watchAnswers(session: Session, safety: Safety, fail: (error: unknown) => void): void {
  const writes = new Set(["create", "update", "patch"]);
  for (const server of session.cluster.controlPlane.servers) {
    const execute = server.execute.bind(server);
    server.execute = (request, http) => {
      const answer = execute(request, http);
      if (!writes.has(request.verb) || request.options?.dryRun) return answer;
      const check = ({ code, body }: Awaited<typeof answer>) => {
        const version = (body as KubeObject).metadata?.resourceVersion;
        if (code < 300 && version && !safety.committed.has(version)) {
          fail(
            new Broken(`${request.verb} ${request.resource} answered ${version}, never committed`),
          );
        }
      };
      if (answer instanceof Promise) answer.then(check, () => {});
      else check(answer);
      return answer;
    };
  }
}

/** The newest version of every object is what the API server has. */
function stored({ cluster }: Session, safety: Safety, plan: Plan): void {
  for (const server of cluster.controlPlane.servers) {
    for (const pod of safety.objects.values()) {
      if (!["Pod", "Deployment", "ReplicaSet", "Job"].includes(pod.kind)) continue;
      const storage = server.storageOf(`${pod.kind.toLowerCase()}s`);
      const { namespace = "", name, resourceVersion } = pod.metadata;
      const found = storage.get(namespace, name)?.metadata.resourceVersion;
      if (found !== resourceVersion) {
        throw new Broken(
          `${server.actor} has ${keyOf(pod)} at ${found}, not ${resourceVersion} (seed ${plan.seed})`,
        );
      }
    }
  }
}

// region: liveness
/** What is not yet as asked for. */
export function unmet({ objects }: Safety): string[] {
  const all = [...objects.values()];
  const uids = new Set(all.map(({ metadata }) => metadata.uid));
  const wrong = all.filter((one) => {
    if (one.metadata.deletionTimestamp) return true;
    const owner = controllerUid(one);
    if (owner && !uids.has(owner)) return true;
    return !(CHECKS[one.kind]?.(one, all) ?? true);
  });
  return wrong.map((one) => keyOf(one));
}

const specOf = (object: KubeObject) => obj((object as { spec?: unknown }).spec);
const statusOf = (object: KubeObject) => obj((object as { status?: unknown }).status);

const CHECKS: {
  readonly [kind: string]: (one: KubeObject, all: readonly KubeObject[]) => boolean;
} = {
  Deployment(one) {
    const { replicas } = specOf(one);
    const status = statusOf(one);
    if (num(status.observedGeneration) !== one.metadata.generation) return false;
    if (specOf(one).paused === true) return true;
    // What the quota refuses can never be there.
    if (one.metadata.namespace === "limited") return true;
    const wanted = num(replicas);
    return (
      num(status.replicas) === wanted &&
      num(status.updatedReplicas) === wanted &&
      num(status.availableReplicas) === wanted
    );
  },
  ReplicaSet(one, all) {
    if (one.metadata.namespace === "limited") return true;
    const pods = all.filter((pod) => pod.kind === "Pod" && controllerUid(pod) === one.metadata.uid);
    return pods.filter(isActive).length === num(specOf(one).replicas);
  },
  StatefulSet(one) {
    return num(statusOf(one).readyReplicas) === num(specOf(one).replicas);
  },
  DaemonSet(one, all) {
    const nodes = all.filter(({ kind }) => kind === "Node").length;
    return num(statusOf(one).numberReady) === nodes;
  },
  Job(one) {
    const conditions = list(statusOf(one).conditions);
    return conditions.some(({ type, status }) => type === "Complete" && status === "True");
  },
  Pod(one) {
    const phase = str(statusOf(one).phase);
    return phase === "Succeeded" || phase === "Failed" || isReady(one);
  },
};
// endregion: liveness

function textOf(error: unknown): string {
  if (error instanceof Broken) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
