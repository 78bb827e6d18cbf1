/** Replays pod-phase.json: container states to the Pod's phase. */
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
} from "../../sim/src/api/kinds/pod.ts";
import { phaseOf } from "../../sim/src/kubelet/status/phase.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  restartPolicy: string;
  init: string;
  main: string;
  podHasInitialized: boolean;
  podIsTerminal?: boolean;
  phase: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const name = `${c.restartPolicy} init "${c.init}" main "${c.main}" initialized ${c.podHasInitialized} terminal ${c.podIsTerminal ?? false}`;
    tally.same(name, () => run(c), c.phase);
  }
  return tally.result();
}

function run(c: Case): string {
  const init = [...c.init];
  const main = [...c.main];
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "default" },
    spec: {
      restartPolicy: c.restartPolicy,
      initContainers: init.map((letter, i) => container(`i${i}`, letter)),
      containers: main.map((_, i) => ({ name: `c${i}` })),
    },
  };
  const statuses = [
    ...init.flatMap((letter, i) => status(`i${i}`, letter)),
    ...main.flatMap((letter, i) => status(`c${i}`, letter)),
  ];
  return phaseOf(pod, statuses, c.podIsTerminal ?? false, c.podHasInitialized);
}

/** A lower-case letter is a container with restartPolicy Always. */
function container(name: string, letter: string): Container {
  return letter === letter.toUpperCase() ? { name } : { name, restartPolicy: "Always" };
}

function status(name: string, letter: string): ContainerStatus[] {
  const state = states[letter.toUpperCase()];
  if (!state) return [];
  const lastState = letter.toUpperCase() === "B" ? { terminated: { exitCode: 1 } } : undefined;
  const started = letter.toUpperCase() === "R";
  const image = { image: "", imageID: "" };
  return [{ name, state, lastState, started, ready: started, restartCount: 0, ...image }];
}

const states: Record<string, ContainerState> = {
  R: { running: {} },
  S: { terminated: { exitCode: 0 } },
  F: { terminated: { exitCode: 1 } },
  W: { waiting: {} },
  B: { waiting: { reason: "CrashLoopBackOff" } },
};
