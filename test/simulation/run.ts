/** One seed from beginning to end: the run, the laws, and the quiet after it. */
import { num, obj } from "../../sim/src/api/kinds/access.ts";
import type { ApiRequest, ApiResponse } from "../../sim/src/api/transport.ts";
import type { KubeObject } from "../../sim/src/api/types.ts";
import { LABEL } from "../../sim/src/cri/records.ts";
import { createSession, type Session } from "../../sim/src/index.ts";
import { unmet } from "./liveness.ts";
import { type Plan, planOf } from "./plan.ts";
import { Safety } from "./safety.ts";
import { Broken, keyOf, specOf } from "./world.ts";

export interface Outcome {
  readonly seed: number;
  /** Absent if all laws held. */
  readonly failure?: { readonly atMs: number; readonly message: string };
  /** From the last fault's end until all was as asked for, in ms. */
  readonly convergedMs?: number;
  readonly writes: number;
  readonly steps: number;
}

export interface SimulateOptions {
  /** Ends it at a moment. */
  readonly untilMs?: number;
  /** The plan without what plans got later. */
  readonly narrow?: boolean;
  readonly trace?: "off" | "full";
  readonly onSession?: (session: Session) => void;
}

/** How often it is asked whether all is as asked for, in ms. */
const LOOK_MS = 1_000;

export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Outcome> {
  const plan = planOf(seed, options.narrow);
  const { scenario, inputs, calmMs, convergeMs } = plan;
  const session = createSession({ seed, scenario, inputs, trace: options.trace ?? "off" });
  options.onSession?.(session);
  const { kernel } = session;
  const safety = safetyOf(plan, session);
  let broken: { error: unknown; atMs: number } | undefined;
  const guard = (look: () => void) => {
    if (broken) return;
    try {
      look();
    } catch (error) {
      broken = { error, atMs: kernel.now() };
    }
  };
  session.cluster.onWrite((write) => guard(() => safety.look(write)));
  watchAnswers(session, safety, guard);
  const end = Math.min(options.untilMs ?? Number.POSITIVE_INFINITY, calmMs + convergeMs);
  let convergedMs: number | undefined;
  try {
    while (kernel.now() < end && !broken && convergedMs === undefined) {
      const untilMs = Math.min(end, Math.max(calmMs, kernel.now() + LOOK_MS));
      await session.run({ untilMs, stopWhen: () => broken !== undefined });
      const calm = kernel.now() > calmMs + LOOK_MS;
      if (calm && unmet(safety.world).length === 0) convergedMs = kernel.now() - calmMs;
    }
  } catch (error) {
    broken ??= { error, atMs: kernel.now() };
  }
  if (convergedMs !== undefined) guard(() => stored(session, safety));
  else if (options.untilMs === undefined) guard(() => notConverged(safety));
  const { writes } = safety;
  const done = { seed, convergedMs, writes, steps: kernel.trace.lastId };
  if (!broken) return done;
  return { ...done, failure: { atMs: broken.atMs, message: textOf(broken.error) } };
}

function notConverged({ world }: Safety): never {
  throw new Broken(
    `not converged ${world.plan.convergeMs / 1000} s after the faults: ${unmet(world).join("; ")}`,
  );
}

function safetyOf(plan: Plan, { kernel, cluster }: Session): Safety {
  return new Safety(plan, {
    now: () => kernel.now(),
    msOf: (timestamp) => kernel.msOf(timestamp),
    runs: (namespace, pod) => {
      const at = cluster.hosts.findIndex(({ runtime }) =>
        [...runtime.core.containers.values()].some(({ config, process, finishedAtMs }) => {
          const { labels = {} } = config;
          if (labels[LABEL.podName] !== pod || labels[LABEL.podNamespace] !== namespace)
            return false;
          return process !== undefined && finishedAtMs === undefined;
        }),
      );
      return at < 0 ? undefined : `node-${at + 1}`;
    },
  });
}

const WRITES = new Set(["create", "update", "patch"]);

/** Looks at every request that writes, and at its answer. */
function watchAnswers(session: Session, safety: Safety, guard: (look: () => void) => void): void {
  const { requests } = safety.world;
  for (const server of session.cluster.controlPlane.servers) {
    const execute = server.execute.bind(server);
    server.execute = (request, http) => {
      if (!WRITES.has(request.verb) || request.options?.dryRun) return execute(request, http);
      requests.add(request);
      const answer = execute(request, http);
      const check = ({ code, body }: ApiResponse) => {
        requests.delete(request);
        if (code < 300) guard(() => answered(request, body as KubeObject, safety));
      };
      if (answer instanceof Promise) answer.then(check, () => requests.delete(request));
      else check(answer);
      return answer;
    };
  }
}

/** What a client was told is stored was indeed committed. */
function answered(request: ApiRequest, body: KubeObject, safety: Safety): void {
  const { verb, resource, subresource, userAgent } = request;
  const version = body.metadata?.resourceVersion;
  if (version && !safety.committed.has(version)) {
    throw new Broken(`${verb} ${resource} answered ${version}, never committed`);
  }
  if (subresource === "scale" && userAgent === "horizontal-pod-autoscaler") {
    safety.scaled(request, num(obj(specOf(body)).replicas));
  }
}

const STORED = new Set(["Pod", "Deployment", "ReplicaSet", "Job", "StatefulSet"]);

/** The newest version of every object is what the API server has. */
function stored({ cluster }: Session, { world }: Safety): void {
  for (const server of cluster.controlPlane.servers) {
    for (const one of world.objects.values()) {
      if (!STORED.has(one.kind)) continue;
      const storage = server.storageOf(`${one.kind.toLowerCase()}s`);
      const { namespace = "", name, resourceVersion } = one.metadata;
      const found = storage.get(namespace, name)?.metadata.resourceVersion;
      if (found !== resourceVersion) {
        throw new Broken(`${server.actor} has ${keyOf(one)} at ${found}, not ${resourceVersion}`);
      }
    }
  }
}

function textOf(error: unknown): string {
  if (error instanceof Broken) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
