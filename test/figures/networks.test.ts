/** What the figure of the lesson on Calico and Cilium draws, from runs of its labs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import labs from "../../content/part-5-cni/04-calico-and-cilium/lab.ts";
import {
  linesOf,
  NETWORKS,
  type Network,
  shorten,
  type Way,
  wayOf,
} from "../../src/figures/networks/ways.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

async function way({ lab: id, variant }: Network): Promise<Way> {
  const trace = await runOf(labOf(labs, id), variant);
  return wayOf(trace, "10.96.7.7:80");
}
const ways = await Promise.all(NETWORKS.map(way));

const textOf = (lang: string) => {
  const folder = join(import.meta.dirname, "../../content/part-5-cni/04-calico-and-cilium");
  return readFileSync(join(folder, `${lang}.mdx`), "utf8");
};

it("each network has its own interfaces between the two Pods", () => {
  const shown = ways.map(({ machines }) =>
    machines.map(({ stops }) =>
      stops.map((stop) => stop?.link.replace(/^(veth|cali|lxc)\w+/, "$1") ?? "-").join(" "),
    ),
  );
  expect(shown).toEqual([
    ["eth0", "veth cni0 flannel.1 eth0", "eth0 flannel.1 cni0 veth", "eth0"],
    ["eth0", "cali - tunl0 eth0", "eth0 tunl0 - cali", "eth0"],
    ["eth0", "cali - - eth0", "eth0 - - cali", "eth0"],
    ["eth0", "lxc - cilium_vxlan eth0", "eth0 cilium_vxlan - lxc", "eth0"],
  ]);
});

it("the transcripts tell the rules and the bytes of the run", () => {
  const rules = ways.map(({ machines }) => machines.map((machine) => machine.rules));
  expect(rules).toEqual([
    [0, 14, 11, 0],
    [0, 15, 14, 0],
    [0, 15, 14, 0],
    [0, 0, 0, 0],
  ]);
  expect(ways.map(({ wire }) => wire)).toEqual([
    { bytes: 124, protocol: "udp" },
    { bytes: 94, protocol: "ipip" },
    { bytes: 74, protocol: "tcp" },
    { bytes: 124, protocol: "udp" },
  ]);
  for (const lang of ["en", "ja"]) {
    for (const count of [14, 11, 15, 25, 29, 124, 94, 74]) {
      expect(textOf(lang)).toMatch(new RegExp(`(^|\\D)${count}(?!\\d)`));
    }
  }
});

it("only without kube-proxy does no packet bear the Service's address", () => {
  const states = ways.map((one) => {
    const lines = linesOf(one).map((line) => (line.is === "stop" ? line.stop.state : undefined));
    return ["service", "tunnel"].map((state) => lines.some((each) => each === state));
  });
  expect(states).toEqual([
    [true, true],
    [true, true],
    [true, false],
    [false, true],
  ]);
});

it("cuts names with hashes", () => {
  expect(["vethc9ba0f34", "cali60a8162b5db", "cni0"].map(shorten)).toEqual([
    "vethc9ba…",
    "cali60a8…",
    "cni0",
  ]);
});
