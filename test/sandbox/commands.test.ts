/** kubectl commands that the reader adds to a run: read, kept, shared, taken back, and left out of checks. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lineOf, soundCommands, typedIn, withCommand } from "../../src/sandbox/commands.ts";
import { fromFragment, toFragment } from "../../src/sandbox/share.ts";
import { type LabData, SandboxStore } from "../../src/sandbox/store.ts";

const lab: LabData = {
  id: "loop",
  lesson: "reconcile-loop",
  title: "Loop",
  caption: "It loops.",
  scenario: { name: "loop" },
  manifest: "kind: Pod",
  files: [],
  seed: 7,
};
const input = (id: number, atMs: number) => ({
  ...{ id, atMs, actor: "you", verb: "input", subject: "kubectl get pods" },
  ...{ target: "", causeId: 0 },
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A store whose run had steps at 1 s and 2 s, and ended at 5 s. */
function afterRun(): SandboxStore {
  const store = new SandboxStore(lab, "en", {});
  store.rows.value = [input(1, 1_000), input(2, 2_000)];
  store.result.value = { reason: "quiet", atMs: 5_000, steps: 2, entries: 2 } as never;
  return store;
}

describe("a line as typed", () => {
  it("may begin with the word kubectl, as it is copied from elsewhere", () => {
    expect(lineOf("  kubectl get pods ")).toBe("get pods");
    expect(lineOf("$ kubectl get pods")).toBe("get pods");
    expect(lineOf("get pods")).toBe("get pods");
    expect(lineOf("kubectl")).toBe("");
  });
});

describe("commands of a store", () => {
  it("come just after the step that is shown, and at the last one when the run ended", () => {
    const store = afterRun();
    store.goTo(0);
    store.addCommand("get pods");
    store.goTo(1);
    store.addCommand("kubectl get nodes");
    expect(store.commands.value).toEqual([
      { atMs: 1_000.001, line: "get pods" },
      { atMs: 5_000.001, line: "get nodes" },
    ]);
    expect(store.inputs().map((one) => one.do)).toEqual(["apply", "kubectl", "kubectl"]);
  });

  it("stand where they belong in time, whatever the order of asking", () => {
    const later = withCommand([{ atMs: 9, line: "get nodes" }], { atMs: 3, line: "get pods" });
    expect(later.map(({ line }) => line)).toEqual(["get pods", "get nodes"]);
  });

  it("are not those that checks judge", () => {
    const store = afterRun();
    store.goTo(0);
    store.addCommand("scale deployment/web --replicas=0");
    expect(store.labInputs().map((one) => one.do)).toEqual(["apply"]);
  });

  it("show the moment of the newest one when the run is over", () => {
    const store = afterRun();
    store.goTo(0);
    store.addCommand("get pods");
    store.rows.value = [input(1, 1_000), input(2, 1_000.001), input(3, 2_000)];
    store.showFromStart(true);
    expect(store.at.value).toBe(1);
  });

  it("come one after the other: the next when kubectl has its answer", () => {
    const store = afterRun();
    store.goTo(0);
    store.addCommand("get pods");
    const asks = {
      verb: "request",
      actor: "kubectl",
      target: "kube-apiserver",
      subject: "GET pods",
    };
    const answers = { verb: "response", actor: "kube-apiserver", target: "kubectl", code: 200 };
    store.rows.value = [
      input(1, 1_000),
      input(2, 1_000.001),
      { ...input(3, 1_001), ...asks, causeId: 2 },
      { ...input(4, 1_002), ...answers, subject: "200 OK", causeId: 3 },
      { ...input(5, 1_003), ...asks, causeId: 2 },
      { ...input(6, 1_004), ...answers, subject: "200 OK", causeId: 5 },
      input(7, 2_000),
    ];
    store.showFromStart(true);
    expect(store.beat.value?.id).toBe(5);
    store.addCommand("get nodes");
    expect(store.commands.value.at(-1)).toEqual({ atMs: 1_004.001, line: "get nodes" });
  });

  it("outlive a reload, are taken back one by one, and go with Reset", () => {
    const before = afterRun();
    before.goTo(0);
    before.addCommand("get pods");
    before.addCommand("get nodes");
    const store = new SandboxStore(lab, "en", {});
    expect(store.commands.value).toHaveLength(2);
    store.takeBack(store.commands.value[0]!);
    expect(store.commands.value.map(({ line }) => line)).toEqual(["get nodes"]);
    store.reset();
    expect(new SandboxStore(lab, "en", {}).commands.value).toEqual([]);
  });

  it("say nothing to an empty line", () => {
    const store = afterRun();
    expect(store.addCommand("  kubectl ")).toBe(false);
    expect(store.commands.value).toEqual([]);
  });
});

describe("commands of a stranger's link", () => {
  it("go along with the link", async () => {
    const commands = [{ atMs: 1_000.001, line: "get pods" }];
    const state = await fromFragment(await toFragment({ lab: "loop", seed: 7, commands }));
    expect(state?.commands).toEqual(commands);
  });

  it("are taken only if they are sound, and not without end", () => {
    const line = "get pods";
    const bad = [{ atMs: -1, line }, { atMs: "1", line }, { atMs: 1, line: "" }, { atMs: 1 }, null];
    const long = { atMs: 1, line: "x".repeat(1_001) };
    expect(soundCommands([...bad, long, { atMs: 1, line, do: "stop" }])).toEqual([
      { atMs: 1, line },
    ]);
    expect(soundCommands("get pods")).toEqual([]);
    expect(soundCommands(Array(200).fill({ atMs: 1, line }))).toHaveLength(50);
  });

  it("stand at a prompt as they were typed, connections too", () => {
    expect(typedIn("kubectl get pods")).toEqual({ place: "", echo: "kubectl get pods" });
    const curl = { place: "pod default/client", echo: "curl web:80" };
    expect(typedIn("pod default/client connects to web:80")).toEqual(curl);
    const ping = { place: "outside", echo: "ping node-1" };
    expect(typedIn("outside connects to node node-1")).toEqual(ping);
    expect(typedIn("stop node/node-1")).toBeUndefined();
  });
});
