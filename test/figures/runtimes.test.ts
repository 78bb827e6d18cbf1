/** What the figure of the three runtimes draws, from a run of its lab. */
import { describe, expect, it } from "vitest";
import labs from "../../content/part-4-cri/03-runtimes/lab.ts";
import { labOf, runOf } from "../../src/figures/run.ts";
import { CALLS, type Deed, stepsOf } from "../../src/figures/runtimes/deeds.ts";

const NODES = ["containerd-1", "crio-1", "docker-1"];

async function steps() {
  return stepsOf(await runOf(labOf(labs, "three")), NODES);
}

const texts = (deeds: readonly Deed[]) => deeds.map(({ text }) => text);
const processes = (deeds: readonly Deed[]) => texts(deeds.filter(({ isProcess }) => isProcess));

describe("one Pod by three runtimes", () => {
  it("shows the kubelet's four calls, the first answered in three ways", async () => {
    const [sandbox, pull, create, start] = await steps();
    expect(CALLS).toEqual([sandbox, pull, create, start].map((step) => step?.call));
    expect(sandbox!.deeds.map(texts)).toEqual([
      ["network namespace", "CNI ADD", "start pause"],
      ["create storage", "pin namespaces", "network namespace", "CNI ADD", "no pause container"],
      ["docker create", "docker start", "rewrite resolv.conf", "network namespace", "CNI ADD"],
    ]);
    expect(sandbox!.deeds.map(processes)).toEqual([
      ["start pause"],
      ["no pause container"],
      ["docker start"],
    ]);
    const image = ["pull docker.io/library/nginx:1.27"];
    expect(pull!.deeds.map(texts)).toEqual([image, image, image]);
    expect(create!.deeds).toEqual([[], [], []]);
    expect(start!.deeds.map(processes)).toEqual(NODES.map(() => ["start nginx"]));
  });

  it("names the plugins that were executed", async () => {
    const [sandbox] = await steps();
    for (const deeds of sandbox!.deeds) {
      const plugins = deeds.flatMap((deed) => deed.plugins ?? []);
      expect(plugins).toEqual(["loopback", "bridge", "host-local", "portmap"]);
    }
  });
});
