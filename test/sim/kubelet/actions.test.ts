/** computePodActions and QoS where containers and Pods have wills of their own. */
import { describe, expect, it } from "vitest";
import type { Container, Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { PodSandboxStatus } from "../../../sim/src/cri/api.ts";
import { oomScoreAdj } from "../../../sim/src/kubelet/qos.ts";
import { computePodActions } from "../../../sim/src/kubelet/runtime/actions.ts";
import { containerHash } from "../../../sim/src/kubelet/runtime/labels.ts";
import type {
  RuntimeContainer,
  RuntimeState,
} from "../../../sim/src/kubelet/runtime/pod-status.ts";

const SANDBOX: PodSandboxStatus = {
  ...{ id: "s", state: "SANDBOX_READY", created_at: 1, network: { ip: "10.0.0.1" } },
  metadata: { name: "p", namespace: "default", uid: "u", attempt: 3 },
  linux: { namespaces: { options: { network: "POD" } } },
};

interface Setting {
  policy?: string;
  init?: Partial<Container>;
  app?: Partial<Container>;
  /** States by the container's name; `exited 42` for a code. */
  states: Record<string, string>;
  deleted?: boolean;
  sandbox?: Partial<PodSandboxStatus>;
  failed?: string;
}

function actionsOf(setting: Setting) {
  const { policy = "Always", init, app, states, deleted, sandbox, failed } = setting;
  const pod: Pod = {
    ...{ apiVersion: "v1", kind: "Pod" },
    metadata: {
      ...{ name: "p", namespace: "default", uid: "u" },
      ...(deleted && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    },
    spec: {
      restartPolicy: policy,
      ...(init && { initContainers: [{ name: "init", ...init }] }),
      containers: [{ name: "app", ...app }, { name: "other" }],
    },
  };
  const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  const containers = Object.entries(states).map(([name, text]): RuntimeContainer => {
    const [state, code = "0"] = text.split(" ") as [RuntimeState, string?];
    const hash = containerHash(all.find((each) => each.name === name)!);
    const rest = { createdAt: 0, reason: "", message: "", image: "", imageId: "" };
    return { id: name, name, state, hash, exitCode: Number(code), restartCount: 0, ...rest };
  });
  const status = { uid: "u", ips: [], sandboxes: [{ ...SANDBOX, ...sandbox }], containers };
  const liveness = (id: string) => (id === failed ? "Failure" : "Success");
  const actions = computePodActions(pod, status, { liveness, startup: () => undefined });
  const { killPod, createSandbox, initToStart, toStart, toKill } = actions;
  const kill = toKill.map(({ message }) => message);
  return { killPod, createSandbox, init: initToStart, start: toStart, kill };
}

const KILLED = { killPod: true, createSandbox: false, init: [], start: [], kill: [] };
const AGAIN = { ...KILLED, killPod: false, init: [0] };
const rule = (value: number): Partial<Container> => ({
  restartPolicy: "Never",
  restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [value] } }],
});

describe("an init container that failed", () => {
  it.each([
    [{ policy: "Never", init: { restartPolicy: "OnFailure" } }, AGAIN],
    [{ policy: "Always", init: { restartPolicy: "Never" } }, KILLED],
    [{ policy: "Never", init: rule(42) }, AGAIN],
    [{ policy: "Always", init: rule(1) }, KILLED],
    [{ policy: "Always", init: {}, deleted: true }, KILLED],
  ] as [Partial<Setting>, object][])("%j", (setting, expected) => {
    expect(actionsOf({ ...setting, states: { init: "exited 42" } })).toEqual(expected);
  });

  it("or is in a state that nobody knows: its rules have no code to go by", () => {
    const unknown = (policy: string, init: Partial<Container>) =>
      actionsOf({ policy, init, states: { init: "unknown" } });
    expect(unknown("Never", rule(0))).toEqual(KILLED);
    expect(unknown("Never", { restartPolicy: "OnFailure" }).init).toEqual([0]);
    expect(unknown("Always", { restartPolicy: "Never" })).toEqual(KILLED);
  });
});

describe("a container that is killed for its probe", () => {
  const killed = (policy: string, app: Partial<Container>) =>
    actionsOf({ policy, app, states: { app: "running", other: "running" }, failed: "app" });
  it.each([
    ["Never", { restartPolicy: "OnFailure" }, [0]],
    ["Always", { restartPolicy: "Never" }, []],
    ["Never", rule(1), []],
    ["OnFailure", {}, [0]],
  ] as [string, Partial<Container>, number[]][])("%s %j: starts %j", (policy, app, start) => {
    const will = start.length > 0 ? ", will be restarted" : "";
    expect(killed(policy, app)).toMatchObject({
      ...{ start, kill: [`Container app failed liveness probe${will}`] },
    });
  });
});

describe("a sandbox", () => {
  const states = { app: "exited 1", other: "exited 0" };
  it("that is gone stays so under Never, whatever the containers' own policies", () => {
    const app = { restartPolicy: "Always" };
    const sandbox = { state: "SANDBOX_NOTREADY" as const };
    expect(actionsOf({ policy: "Never", app, states, sandbox })).toEqual(KILLED);
  });
  it("is replaced without an address, not without a word about its network", () => {
    expect(actionsOf({ states, sandbox: { network: { ip: "" } } }).createSandbox).toBe(true);
    expect(actionsOf({ states, sandbox: { network: undefined } }).createSandbox).toBe(false);
  });
});

it("a sidecar shares what the Pod requests beyond its containers", () => {
  const memory = (text: string) => ({ resources: { requests: { memory: text } } });
  const sidecar: Container = { name: "s", restartPolicy: "Always", ...memory("1Gi") };
  const pod: Pod = {
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default" } },
    spec: {
      ...memory("8Gi"),
      initContainers: [sidecar],
      containers: [{ name: "a", ...memory("3Gi") }],
    },
  };
  // 4 GiB are left over, 2 for each; the smallest main one then has 5 of 16.
  expect(oomScoreAdj(pod, sidecar, 16 * 2 ** 30)).toBe(1000 - Math.trunc(5000 / 16));
});
