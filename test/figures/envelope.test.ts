/** What the figure of the lesson on flannel draws, and the numbers of its text. */
import { expect, it } from "vitest";
import labs from "../../content/part-5-cni/03-flannel/lab.ts";
import { envelopeOf } from "../../src/figures/envelope/envelope.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

async function run(id: string) {
  const texts: string[] = [];
  const entries = await runOf(labOf(labs, id), {}, ({ text }) => texts.push(text));
  return { entries, text: texts.join("\n") };
}

const { entries, text } = await run("tunnel");

it("puts 50 bytes around a packet, addressed to the node", () => {
  const envelope = envelopeOf(entries, "node-1");
  expect(envelope).toMatchObject({
    outerIp: ["172.18.0.2", "172.18.0.3"],
    vni: 1,
    innerIp: ["10.244.0.2", "10.244.1.2"],
    ...{ bytes: 124, innerBytes: 74 },
  });
  expect(envelope.outerPort[1]).toBe("8472");
  expect(envelope.innerMac[1]).toBe("5e:77:6b:e1:14:4f");
});

it("goes on while no flanneld runs", () => {
  expect(text.match(/pod default\/b answers/g)).toHaveLength(2);
});

it("is told of by annotations within 2 ms of a Node's coming", () => {
  const writes = entries.filter(
    ({ verb, subject }) => verb === "write" && subject === "Node node-3",
  );
  const annotated = writes.find(({ detail }) => /flannel.alpha/.test(JSON.stringify(detail)));
  expect(Math.round(annotated!.atMs - writes[0]!.atMs)).toBe(2);
});
