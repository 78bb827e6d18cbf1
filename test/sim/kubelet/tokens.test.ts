import { describe, expect, it } from "vitest";
import { ConfigMap } from "../../../sim/src/api/kinds/configmap.ts";
import { Pod, type PodSpec } from "../../../sim/src/api/kinds/pod.ts";
import { Secret } from "../../../sim/src/api/kinds/secret.ts";
import type { TraceEntry } from "../../../sim/src/kernel/index.ts";
import { condition, World } from "./world.ts";

const scenario = { tokens: true };

function requests(world: World, pattern: RegExp): TraceEntry[] {
  return world
    .entries("request")
    .filter(({ actor, subject }) => actor === "kubelet/node-1" && pattern.test(subject));
}

async function createRootCa(world: World): Promise<void> {
  const metadata = { name: "kube-root-ca.crt", namespace: "default" };
  const data = { "ca.crt": "certificate" };
  await world.do((c) =>
    c.create(ConfigMap, { apiVersion: "v1", kind: "ConfigMap", metadata, data }),
  );
}

describe("the token of a Pod", () => {
  it("is asked for once, bound to its Pod, while the certificate is read once a node", async () => {
    const world = new World({ scenario });
    await world.run(2);
    await createRootCa(world);
    await world.create(["web", {}]);
    await world.run(10);
    await world.create(["second", {}]);
    await world.run(20);
    expect(condition(world.pod("web"), "Ready")).toBe("True");
    expect(condition(world.pod("second"), "Ready")).toBe("True");
    const asked = requests(world, /token/);
    expect(asked.map(({ subject }) => subject)).toEqual([
      "POST serviceaccounts/token default/default",
      "POST serviceaccounts/token default/default",
    ]);
    const bodies = asked.map(
      ({ detail }) => (detail as { request: { body: object } }).request.body,
    );
    const { name, uid } = world.pod("web")!.metadata;
    expect(bodies).toContainEqual({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: {
        expirationSeconds: 3607,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
      },
    });
    expect(requests(world, /GET configmaps/)).toHaveLength(1);
  });

  it("waits with its Pod for the cluster's certificate", async () => {
    const world = new World({ scenario });
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(5);
    expect(world.message("FailedMount")).toMatch(
      /^MountVolume\.SetUp failed for volume "kube-api-access-\w{5}" : configmap "kube-root-ca.crt" not found$/,
    );
    expect(world.pod()?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe(
      "ContainerCreating",
    );
    await createRootCa(world);
    await world.run(20);
    expect(condition(world.pod(), "Ready")).toBe("True");
    expect(requests(world, /token/)).toHaveLength(1);
  });

  it("is exchanged after 80 % of its life, until the Pod is gone", async () => {
    const world = new World({ scenario });
    await world.run(2);
    await createRootCa(world);
    await world.create(["web", {}]);
    await world.run(20);
    const from = requests(world, /token/)[0]!.atMs;
    await world.run(3000);
    const times = requests(world, /token/).map(({ atMs }) => atMs - from);
    expect(times).toHaveLength(2);
    expect(times[1]).toBeGreaterThan(0.8 * 3_607_000 - 11_000);
    expect(times[1]).toBeLessThan(0.8 * 3_607_000 + 1000);
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(4000);
    expect(requests(world, /token/)).toHaveLength(2);
  });

  it("is had at once where controllers make the certificate", async () => {
    const world = new World({ scenario, controllers: true });
    await world.run(5);
    await world.create(["web", {}]);
    await world.run(15);
    expect(condition(world.pod(), "Ready")).toBe("True");
    expect(world.reasons()).not.toContain("FailedMount");
  });
});

describe("a projected volume", () => {
  it("names all that it lacks", async () => {
    const world = new World({ scenario });
    await world.run(2);
    const sources = [
      { secret: { name: "keys" } },
      { configMap: { name: "settings" } },
      { configMap: { name: "extra", optional: true } },
    ];
    const volumes = [{ name: "all", projected: { sources } }];
    const spec: Partial<PodSpec> = { volumes, automountServiceAccountToken: false };
    await world.create(["web", spec]);
    await world.run(3);
    expect(world.message("FailedMount")).toBe(
      'MountVolume.SetUp failed for volume "all" : [secret "keys" not found, configmap "settings" not found]',
    );
    const metadata = { name: "keys", namespace: "default" };
    await world.do((c) => c.create(Secret, { apiVersion: "v1", kind: "Secret", metadata }));
    await world.run(5);
    expect(world.events.findLast(({ reason }) => reason === "FailedMount")?.message).toBe(
      'MountVolume.SetUp failed for volume "all" : configmap "settings" not found',
    );
  });
});
