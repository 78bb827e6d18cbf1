/** What wakes a waiting Pod: the hints of plugins, a row for each case of upstream. */
import { describe, expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import {
  Action,
  clusterEvent,
  coversEvent,
  type EventResource,
  type EventWithHint,
} from "../../../sim/src/scheduler/cluster-events.ts";
import type { Handle } from "../../../sim/src/scheduler/handle.ts";
import { noListers } from "../../../sim/src/scheduler/listers.ts";
import { interPodAffinity } from "../../../sim/src/scheduler/plugins/inter-pod-affinity.ts";
import { nodeResourcesFit } from "../../../sim/src/scheduler/plugins/node-resources-fit.ts";
import { spreadEvents } from "../../../sim/src/scheduler/plugins/pod-topology-spread-hints.ts";
import { nodeOf, type PodOptions, podOf } from "./objects.ts";

type Row = [says: string, old: KubeObject | undefined, now: KubeObject | undefined, wakes: boolean];

function wakes(
  events: readonly EventWithHint[],
  [resource, action]: [EventResource, number],
  pod: Pod,
  [, old, now]: Row,
): boolean {
  const happened = clusterEvent(resource, action);
  return events
    .filter(({ event }) => coversEvent(event, happened))
    .some(({ hint }) => hint?.(pod, old, now) ?? true);
}

const named = (name: string, options?: PodOptions): Pod => {
  const pod = podOf(name, options);
  return { ...pod, metadata: { ...pod.metadata, uid: name } };
};
const running = (labels: Record<string, string>, spec: PodOptions["spec"] = {}) =>
  named("other", { labels, spec: { nodeName: "a", ...spec } });
const inZone = (zone?: string) => nodeOf("a", { labels: zone ? { zone } : {} });
const term = (app: string) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [
    { topologyKey: "zone", labelSelector: { matchLabels: { app } } },
  ],
});

describe("InterPodAffinity", () => {
  const { events = [] } = interPodAffinity({ listers: noListers } as Handle);
  const near = named("p", { spec: { affinity: { podAffinity: term("db") } } });
  const far = named("p", {
    labels: { app: "web" },
    spec: { affinity: { podAntiAffinity: term("db") } },
  });
  const db = running({ app: "db" });
  const none = running({});

  it.each<Row>([
    ["one that it wants comes", undefined, db, true],
    ["another comes", undefined, none, false],
    ["one becomes what it wants", none, db, true],
    ["one was that before", db, running({ app: "db", v: "2" }), false],
    ["one that it wants goes", db, undefined, false],
  ])("near: %s", (...row) => {
    expect(wakes(events, ["AssignedPod", Action.All], near, row)).toBe(row[3]);
  });

  const shy = running({}, { affinity: { podAntiAffinity: term("web") } });
  it.each<Row>([
    ["one that it avoids comes", undefined, db, false],
    ["one that it avoids goes", db, undefined, true],
    ["one that it avoids changes", db, none, true],
    ["one that it avoids stays so", db, running({ app: "db", v: "2" }), false],
    ["another goes", none, undefined, false],
    ["one that avoids it goes", shy, undefined, true],
  ])("far: %s", (...row) => {
    expect(wakes(events, ["AssignedPod", Action.All], far, row)).toBe(row[3]);
  });

  it.each<[...Row, boolean]>([
    ["a Node comes with the key", undefined, inZone("1"), true, true],
    ["a Node comes without the key", undefined, inZone(), false, true],
    ["a Node gets the key", inZone(), inZone("1"), true, false],
    ["a Node changes its value", inZone("1"), inZone("2"), true, true],
    ["a Node loses the key", inZone("1"), inZone(), false, true],
    ["a Node changes another label", inZone("1"), inZone("1"), false, false],
  ])("%s", (says, old, now, wakesNear, wakesFar) => {
    const row: Row = [says, old, now, true];
    expect(wakes(events, ["Node", Action.All], near, row)).toBe(wakesNear);
    expect(wakes(events, ["Node", Action.All], far, row)).toBe(wakesFar);
  });
});

describe("PodTopologySpread", () => {
  const spread = (more: object = {}) => ({
    maxSkew: 1,
    topologyKey: "zone",
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "web" } },
    ...more,
  });
  const waiting = (more?: object, spec = {}) =>
    named("p", {
      labels: { app: "web" },
      spec: { topologySpreadConstraints: [spread(more)], ...spec },
    });
  const pod = waiting();
  const web = running({ app: "web" });
  const elsewhere = { ...web, metadata: { ...web.metadata, namespace: "far" } };

  it.each<Row>([
    ["a counted Pod comes", undefined, web, true],
    ["a counted Pod goes", web, undefined, true],
    ["a Pod that does not count comes", undefined, running({ app: "db" }), false],
    ["a Pod of another namespace goes", elsewhere, undefined, false],
    ["a Pod begins to count", running({}), web, true],
    ["a Pod ceases to count", web, running({}), true],
    ["a counted Pod changes another label", web, running({ app: "web", v: "2" }), false],
  ])("%s", (...row) => {
    expect(wakes(spreadEvents, ["AssignedPod", Action.All], pod, row)).toBe(row[3]);
  });

  const tolerations = [{ operator: "Exists" }];
  const honours = { nodeTaintsPolicy: "Honor" };
  it.each<Row>([
    ["its own labels change", named("p", { labels: {} }), pod, true],
    ["a toleration is of use", waiting(honours), waiting(honours, { tolerations }), true],
    ["a toleration is of no use", pod, waiting({}, { tolerations }), false],
  ])("%s", (...row) => {
    const now = row[2] as Pod;
    expect(wakes(spreadEvents, ["UnscheduledPod", Action.All], now, row)).toBe(row[3]);
  });

  const tainted = (zone?: string) => ({
    ...inZone(zone),
    spec: { taints: [{ key: "k", effect: "NoSchedule" }] },
  });
  it.each<Row>([
    ["a Node with the key comes", undefined, inZone("1"), true],
    ["a Node without the key comes", undefined, inZone(), false],
    ["a Node with the key goes", inZone("1"), undefined, true],
    ["a Node without the key goes", inZone(), undefined, false],
    ["a Node gets the key", inZone(), inZone("1"), true],
    ["a Node moves", inZone("1"), inZone("2"), true],
    ["a Node stays", inZone("1"), inZone("1"), false],
    ["a taint goes", tainted("1"), inZone("1"), true],
    ["a taint goes from a Node without the key", tainted(), inZone(), false],
  ])("%s", (...row) => {
    expect(wakes(spreadEvents, ["Node", Action.All], pod, row)).toBe(row[3]);
  });
});

describe("NodeResourcesFit", () => {
  const { events = [] } = nodeResourcesFit();
  const sized = (cpu: string, memory: string) =>
    named("other", { cpu, memory, spec: { nodeName: "a" } });

  it.each<Row>([
    ["a Pod goes", sized("1", "1Gi"), undefined, true],
    ["a Pod gives back CPU", sized("1", "1Gi"), sized("500m", "1Gi"), true],
    ["a Pod gives back what is not asked for", sized("1", "1Gi"), sized("1", "1Mi"), false],
    ["a Pod takes more", sized("1", "1Gi"), sized("2", "1Gi"), false],
  ])("%s", (...row) => {
    const pod = named("p", { cpu: "2" });
    expect(wakes(events, ["AssignedPod", Action.All], pod, row)).toBe(row[3]);
  });
});
