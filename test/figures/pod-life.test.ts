/** What the figures of the lesson on the kubelet draw, and the numbers of its text. */
import { describe, expect, it } from "vitest";
import labs from "../../content/part-2-architecture/07-kubelet/lab.ts";
import { type Life, livesOf } from "../../src/figures/pod-life/life.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

async function lives(id: string, pods: readonly string[], endMs: number): Promise<Life[]> {
  return livesOf(await runOf(labOf(labs, id)), pods, endMs);
}

const seconds = (ms: number) => Number((ms / 1000).toFixed(1));
const phasesOf = ({ spans }: Life) =>
  spans.map(({ phase, fromMs }) => `${phase} ${seconds(fromMs)}`);

describe("the same trouble under two probes", () => {
  it("costs the one its traffic for ten seconds, and the other a restart again and again", async () => {
    const [waits, restarts] = await lives("probes", ["waits", "restarts"], 150_000);
    expect(phasesOf(waits!)).toEqual(["unready 1.4", "ready 6.9", "unready 31.9", "ready 41.9"]);
    expect(waits!.startsMs).toHaveLength(1);
    expect(restarts!.startsMs.map(seconds)).toEqual([1.6, 36.9, 71.9, 106.9, 141.9]);
    // It is stopped at once after three failures, and counts as Ready until then.
    expect(phasesOf(restarts!).slice(0, 5)).toEqual([
      ...["unready 1.6", "ready 1.9", "stopping 34.8", "waiting 36.8", "ready 36.9"],
    ]);
    expect(restarts!.spans.filter(({ phase }) => phase === "unready")).toHaveLength(1);
  });
});

describe("a container that crashes", () => {
  it("is started again after a wait that doubles up to five minutes", async () => {
    const [crash] = await lives("backoff", ["crash"], 950_000);
    const waits = crash!.spans
      .filter(({ phase, toMs }) => phase === "waiting" && toMs < 950_000)
      .map(({ fromMs, toMs }) => Math.round((toMs - fromMs) / 1000));
    expect(waits).toEqual([1, 11, 23, 55, 89, 160, 301]);
    expect(crash!.startsMs).toHaveLength(8);
  });
});
