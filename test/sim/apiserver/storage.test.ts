import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeList, KubeObject, WatchEvent } from "../../../sim/src/api/types.ts";
import { account, type Bench, configMap, messageOf, newServer, pod } from "./server.ts";

const maps = { resource: "configmaps" } as const;

type Step = { name: string; label: string } | { remove: string };

const names = fc.constantFrom("a", "b", "c", "d");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ name: names, label: fc.constantFrom("x", "y") }),
  fc.record({ remove: names }),
);

function run({ ask }: Bench, steps: readonly Step[]): void {
  for (const one of steps) {
    if ("remove" in one) {
      ask({ verb: "delete", ...maps, name: one.remove });
      continue;
    }
    const body = configMap(one.name, {}, { labels: { l: one.label } });
    const { code } = ask({ verb: "create", ...maps, body });
    if (code === 409) ask({ verb: "update", ...maps, name: one.name, body });
  }
}

function listed({ ask }: Bench, labelSelector?: string): KubeList {
  const { body } = ask({ verb: "list", ...maps, options: { labelSelector } });
  return body as KubeList;
}

function follow(bench: Bench, options: object): Map<string, string> {
  const state = new Map<string, string>();
  const onEvent = ({ type, object }: WatchEvent) => {
    const { name, resourceVersion = "" } = object.metadata;
    if (type === "DELETED") state.delete(name);
    else state.set(name, resourceVersion);
  };
  const credentials = { certificate: { commonName: "a", organizations: ["system:masters"] } };
  const request = { verb: "watch", group: "", version: "v1", namespace: "default" } as const;
  bench.server.watch({ ...request, ...maps, credentials, options }, { onEvent, onEnd() {} });
  return state;
}

const versions = (items: readonly KubeObject[]) =>
  new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));

describe("lists and watches", () => {
  for (const labelSelector of [undefined, "l=x"]) {
    it(`agree: a list at r and a watch from r make the list of now (${labelSelector})`, () => {
      fc.assert(
        fc.property(fc.array(step), fc.array(step), (before, after) => {
          const bench = newServer();
          run(bench, before);
          const list = listed(bench, labelSelector);
          run(bench, after);
          const { resourceVersion } = list.metadata;
          const state = follow(bench, { resourceVersion, labelSelector });
          const known = new Set(versions(list.items).keys());
          const now = versions(listed(bench, labelSelector).items);
          for (const [name, version] of state) expect(now.get(name)).toBe(version);
          for (const [name, version] of now) {
            if (!known.has(name)) expect(state.get(name)).toBe(version);
          }
        }),
        { numRuns: 40 },
      );
    });
  }

  it("tell a live watcher of each change once, in order", () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const bench = newServer();
        const state = follow(bench, {});
        run(bench, steps);
        expect(state).toEqual(versions(listed(bench).items));
      }),
      { numRuns: 40 },
    );
  });

  it("hand a Pod to the watcher of its node when it is bound", () => {
    const bench = newServer({});
    account(bench);
    const seen: string[] = [];
    const onEvent = ({ type, object }: WatchEvent) => seen.push(`${type} ${object.metadata.name}`);
    const credentials = { certificate: { commonName: "a", organizations: ["system:masters"] } };
    const request = { verb: "watch", group: "", version: "v1", resource: "pods" } as const;
    const options = { fieldSelector: "spec.nodeName=n1" };
    bench.server.watch({ ...request, credentials, options }, { onEvent, onEnd() {} });
    for (const name of ["p1", "p2"]) bench.ask({ verb: "create", body: pod(name) });
    const bind = (name: string, node: string) =>
      bench.ask({
        verb: "create",
        name,
        subresource: "binding",
        body: { metadata: { name }, target: { kind: "Node", name: node } },
      });
    bind("p1", "n1");
    bind("p2", "n2");
    expect(seen).toEqual(["ADDED p1"]);
    const { body } = bench.ask({ verb: "list", options });
    expect((body as KubeList).items.map(({ metadata }) => metadata.name)).toEqual(["p1"]);
  });

  it("end a watch from a version that is forgotten with 410", () => {
    const bench = newServer();
    bench.ask({ verb: "create", ...maps, body: configMap("a") });
    const { resourceVersion } = listed(bench).metadata;
    bench.ask({ verb: "create", ...maps, body: configMap("b") });
    bench.server.restart();
    const ends: (number | undefined)[] = [];
    const credentials = { certificate: { commonName: "a", organizations: ["system:masters"] } };
    const request = { verb: "watch", group: "", version: "v1" } as const;
    bench.server.watch(
      { ...request, ...maps, credentials, options: { resourceVersion } },
      { onEvent() {}, onEnd: (error) => ends.push(error?.code) },
    );
    expect(ends).toEqual([410]);
  });
});

describe("a subresource that is a part of its object", () => {
  it.each(["resize", "ephemeralcontainers"])("is read as the whole of it: %s", (subresource) => {
    const bench = newServer();
    account(bench);
    bench.ask({ verb: "create", body: pod("a") });
    const { code, body } = bench.ask({ verb: "get", name: "a", subresource });
    expect([code, body]).toEqual([200, bench.ask({ verb: "get", name: "a" }).body]);
    expect(bench.ask({ verb: "get", name: "b", subresource }).code).toBe(404);
  });
});

describe("writes", () => {
  it("never lose one another: of two updates of a version one is refused", () => {
    const { ask } = newServer();
    ask({ verb: "create", ...maps, body: configMap("a") });
    const { body } = ask({ verb: "get", ...maps, name: "a" });
    const read = body as KubeObject;
    const write = (value: string) =>
      ask({ verb: "update", ...maps, name: "a", body: { ...read, data: { k: value } } });
    expect(write("1").code).toBe(200);
    const second = write("2");
    expect(second.code).toBe(409);
    expect(messageOf(second)).toContain("the object has been modified");
  });

  it("that change nothing keep the version", () => {
    const { ask } = newServer();
    const first = ask({ verb: "create", ...maps, body: configMap("a", { k: "v" }) });
    const { resourceVersion, ...metadata } = (first.body as KubeObject).metadata;
    const again = { ...configMap("a", { k: "v" }), metadata };
    const second = ask({ verb: "update", ...maps, name: "a", body: again });
    expect((second.body as KubeObject).metadata.resourceVersion).toBe(resourceVersion);
  });

  it("give Pods time to end, and none to Pods that no node runs", () => {
    const bench = newServer();
    account(bench);
    const { ask } = bench;
    for (const name of ["free", "bound"]) ask({ verb: "create", body: pod(name) });
    ask({
      verb: "create",
      name: "bound",
      subresource: "binding",
      body: { metadata: { name: "bound" }, target: { name: "n1" } },
    });
    ask({ verb: "delete", name: "free" });
    ask({ verb: "delete", name: "bound" });
    expect(ask({ verb: "get", name: "free" }).code).toBe(404);
    const { metadata } = ask({ verb: "get", name: "bound" }).body as KubeObject;
    expect(metadata.deletionGracePeriodSeconds).toBe(30);
    expect(metadata.deletionTimestamp).toBe("2026-01-01T00:00:30Z");
    ask({ verb: "delete", name: "bound", options: { gracePeriodSeconds: 0 } });
    expect(ask({ verb: "get", name: "bound" }).code).toBe(404);
  });

  it("freeze what is stored and share what did not change", () => {
    const bench = newServer();
    account(bench);
    const before = bench.ask({ verb: "create", body: pod("p") }).body as KubeObject & {
      spec: object;
    };
    const patch = { metadata: { labels: { a: "b" } } };
    const after = bench.ask({
      verb: "patch",
      name: "p",
      body: patch,
      patchType: "application/merge-patch+json",
    }).body as KubeObject & { spec: object };
    expect(Object.isFrozen(after.metadata.labels)).toBe(true);
    expect(after.spec).toBe(before.spec);
  });
});
