/** kubectl logs: which lines, of which containers. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

/** Twelve lines at once; then it goes on without a word. */
const LINES = "for i in 1 2 3; do echo a; echo b; echo c; echo d; done; sleep 1000";
const MANIFEST = `apiVersion: apps/v1
kind: Deployment
metadata: {name: talk}
spec:
  replicas: 2
  selector: {matchLabels: {app: talk}}
  template:
    metadata: {labels: {app: talk}}
    spec:
      containers:
      - {name: one, image: busybox:1.36, command: [sh, -c, "${LINES}"]}
      - {name: two, image: busybox:1.36, command: [sh, -c, "echo two; sleep 1000"]}
`;

let shell: Terminal;
let pods: string[];

beforeAll(async () => {
  shell = await terminal();
  await shell.run("apply -f talk.yaml", { "talk.yaml": MANIFEST });
  await shell.pass(20_000);
  pods = (await shell.run("get pods -o name")).split("\n").slice(0, -1);
});

const lines = async (words: string) => (await shell.run(`logs ${words}`)).split("\n");

describe("kubectl logs", () => {
  it("shows ten lines of each where a selector chose, all of one", async () => {
    const one = await lines(`${pods[0]} -c one`);
    expect(one.at(-1)).toBe("[exit 0]");
    const count = one.length - 1;
    const selected = await lines("-l app=talk -c one");
    expect(selected.length - 1).toBe(Math.min(count, 10) * 2);
    expect((await lines("-l app=talk -c one --tail=-1")).length - 1).toBe(count * 2);
    expect((await lines("-l app=talk -c one --tail=1")).length - 1).toBe(2);
  });

  it("shows lines since a time, and no more than so many bytes", async () => {
    expect(await lines(`${pods[0]} -c two --since=1s`)).toEqual(["[exit 0]"]);
    expect(await lines(`${pods[0]} -c two --since=10m`)).toEqual(["two", "[exit 0]"]);
    const early = "--since-time=2020-01-01T00:00:00Z";
    expect(await lines(`${pods[0]} -c two ${early}`)).toEqual(["two", "[exit 0]"]);
    const late = "--since-time=2090-01-01T00:00:00Z";
    expect(await lines(`${pods[0]} -c two ${late}`)).toEqual(["[exit 0]"]);
    expect(await lines(`${pods[0]} -c two --limit-bytes=2`)).toEqual(["tw", "[exit 0]"]);
    const [stamped] = await lines(`${pods[0]} -c two --timestamps`);
    expect(stamped).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z two$/);
  });

  it("takes all Pods of a workload, each line with its source", async () => {
    const [first, second] = pods.map((pod) => `[${pod}/two] two`);
    const all = await lines("deploy/talk --all-pods -c two");
    expect(all.toSorted()).toEqual([first, second, "[exit 0]"].toSorted());
    expect(await shell.run("logs deploy/talk --all-pods")).not.toContain("Defaulted");
    expect(await lines("deploy/talk -c two")).toContain(
      `Found 2 pods, using ${all[0]!.slice(1).split("/two")[0]}`,
    );
  });

  it("follows several at once, up to as many as it may", async () => {
    expect(await shell.run("logs -f -l app=talk --all-containers --max-log-requests=3")).toBe(
      "error: you are attempting to follow 4 log streams, but maximum allowed concurrency is 3, " +
        "use --max-log-requests to increase the limit\n[exit 1]",
    );
  });

  it("lets the server refuse, and goes on with what it cannot read", async () => {
    await shell.run(
      'run broken --image=nginx --overrides={"spec":{"nodeSelector":{"no":"where"}}}',
    );
    expect(await shell.run("logs -n nosuch x")).toBe(
      'error: error from server (NotFound): namespaces "nosuch" not found in namespace "nosuch"\n[exit 1]',
    );
    const path = `/api/v1/namespaces/default/${pods[0]!.replace("pod", "pods")}/log`;
    expect(await shell.run(`get --raw ${path}?container=two&tailLines=-1`)).toContain(
      "tailLines: Invalid value: -1: must be greater than or equal to 0",
    );
  });
});
