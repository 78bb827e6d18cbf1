/** Replays kubelet-actions.json: computePodActions on recorded states. */
import type { Container, Pod } from "../../sim/src/api/kinds/pod.ts";
import type { PodSandboxStatus } from "../../sim/src/cri/api.ts";
import { computePodActions, type ProbeResults } from "../../sim/src/kubelet/runtime/actions.ts";
import { containerHash } from "../../sim/src/kubelet/runtime/labels.ts";
import type {
  RuntimeContainer,
  RuntimePod,
  RuntimeState,
} from "../../sim/src/kubelet/runtime/pod-status.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  restartPolicy: string;
  sandboxes: string;
  init: string;
  sidecars: string;
  apps: string;
  killPod: boolean;
  createSandbox: boolean;
  attempt: number;
  startInit: string[] | null;
  start: string[] | null;
  kill: { container: string; message: string; reason: string }[] | null;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const { restartPolicy, sandboxes, init, sidecars, apps } = c;
    const name = `${restartPolicy} sandboxes "${sandboxes}" init "${init}" sidecars "${sidecars}" apps "${apps}"`;
    const { killPod, createSandbox, attempt, startInit, start, kill } = c;
    const expected = {
      ...{ killPod, createSandbox, attempt },
      ...{ startInit: startInit ?? [], start: start ?? [], kill: byName(kill ?? []) },
    };
    tally.same(name, () => run(c), expected);
  }
  return tally.result();
}

function run(c: Case) {
  const pod = podOf(c);
  const actions = computePodActions(pod, statusOf(c, pod), probesOf(c));
  const { killPod, createSandbox, attempt } = actions;
  const kill = actions.toKill.map(({ container, message, reason }) => {
    return { container: container.name, message, reason };
  });
  return {
    ...{ killPod, createSandbox, attempt },
    startInit: actions.initToStart.map((i) => pod.spec.initContainers![i]!.name),
    start: actions.toStart.map((i) => pod.spec.containers[i]!.name),
    kill: byName(kill),
  };
}

function byName<T extends { container: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (a.container < b.container ? -1 : 1));
}

function podOf({ restartPolicy, init, sidecars, apps }: Case): Pod {
  const always: Partial<Container> = {
    restartPolicy: "Always",
    livenessProbe: { exec: { command: ["true"] } },
  };
  const plain = (prefix: string, letters: string): Container[] =>
    [...letters].map((_, i) => ({ name: `${prefix}${i}`, image: "i" }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default", uid: "u" },
    spec: {
      restartPolicy,
      initContainers: [
        ...plain("init", init),
        ...plain("side", sidecars).map((container, i) =>
          sidecars[i] === "L"
            ? { ...container, ...always }
            : { ...container, restartPolicy: "Always" },
        ),
      ],
      containers: plain("app", apps),
    },
  };
}

function statusOf(c: Case, pod: Pod): RuntimePod {
  const of = (prefix: string, letters: string) =>
    [...letters].flatMap((letter, i) => containerOf(pod, `${prefix}${i}`, letter));
  const count = c.sandboxes.length;
  return {
    uid: "u",
    ips: ["10.0.0.1"],
    sandboxes: [...c.sandboxes].map((letter, i) => sandbox(letter, count - 1 - i)),
    containers: [...of("init", c.init), ...of("side", c.sidecars), ...of("app", c.apps)],
  };
}

function sandbox(letter: string, attempt: number): PodSandboxStatus {
  return {
    id: `s${attempt}`,
    metadata: { name: "p", namespace: "default", uid: "u", attempt },
    state: letter === "R" ? "SANDBOX_READY" : "SANDBOX_NOTREADY",
    created_at: attempt,
    network: { ip: "10.0.0.1" },
    linux: { namespaces: { options: { network: "POD" } } },
  };
}

const states: Record<string, RuntimeState> = {
  R: "running",
  L: "running",
  H: "running",
  C: "created",
  0: "exited",
  1: "exited",
  U: "unknown",
};

function containerOf(pod: Pod, name: string, letter: string): RuntimeContainer[] {
  const state = states[letter];
  if (!state) return [];
  const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  const spec = all.find((container) => container.name === name)!;
  const hash = letter === "H" ? "other" : containerHash(spec);
  const id = `${letter}-${name}`;
  const rest = { createdAt: 0, reason: "", message: "", image: "i", imageId: "i", restartCount: 0 };
  return [{ id, name, state, hash, exitCode: letter === "1" ? 1 : 0, ...rest }];
}

/** The letter stands at the front of the container's id. */
function probesOf(_case: Case): ProbeResults {
  return {
    liveness: (id) => (id.startsWith("L-") ? "Failure" : "Success"),
    startup: () => undefined,
  };
}
