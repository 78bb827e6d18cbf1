import { describe, expect, it } from "vitest";
import type { Page } from "../../../sim/src/scenario.ts";
import { World } from "./world.ts";

const URL = "http://manifests.example/pod.yaml";

const manifest = (image: string) => `apiVersion: v1
kind: Pod
metadata: { name: agent }
spec: { containers: [{ name: app, image: "${image}" }] }
`;

async function worldOf(...pages: Page[]): Promise<World> {
  const nodes = [{ kubelet: { staticPodURL: URL } }];
  const world = new World({ nodes, scenario: { pages } });
  await world.run(15);
  return world;
}

const imageOf = (world: World) => world.pod("agent-node-1")?.spec.containers[0]?.image;
const errorsOf = (world: World) =>
  world
    .entries("error")
    .filter(({ subject }) => subject === "pods from URL")
    .map(({ detail }) => (detail as { message: string }).message);

describe("a static Pod from a URL", () => {
  it("runs, and shows in the API as a mirror", async () => {
    const world = await worldOf({ url: URL, text: manifest("nginx:1.27") });
    const pod = world.pod("agent-node-1");
    expect(pod?.status?.phase).toBe("Running");
    expect(pod?.metadata.annotations).toMatchObject({ "kubernetes.io/config.source": "http" });
    expect(pod?.metadata.annotations).toHaveProperty(["kubernetes.io/config.mirror"]);
  });

  it("is replaced when the page changes, and stays while there is none", async () => {
    const world = await worldOf(
      { url: URL, text: manifest("nginx:1.27") },
      { url: URL, text: manifest("nginx:1.29"), atMs: 30_000 },
      { url: URL, atMs: 70_000 },
      { url: URL, text: "", atMs: 150_000 },
    );
    expect(imageOf(world)).toBe("nginx:1.27");
    await world.run(50);
    expect(imageOf(world)).toBe("nginx:1.29");
    await world.run(60);
    expect(imageOf(world)).toBe("nginx:1.29");
    expect(errorsOf(world).at(-1)).toBe(`${URL}: 404 Not Found`);
    await world.run(60);
    expect(world.pod("agent-node-1")).toBeUndefined();
    expect(errorsOf(world).at(-1)).toBe(`zero-length data received from ${URL}`);
  });

  it("waits for somebody to answer", async () => {
    const world = await worldOf();
    expect(world.pod("agent-node-1")).toBeUndefined();
    expect(errorsOf(world)).toEqual([
      `Get "${URL}": dial tcp: lookup manifests.example: no such host`,
    ]);
  });
});
