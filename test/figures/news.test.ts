/** What the figure of the lesson on list and watch says, and the numbers of its text. */
import { describe, expect, it } from "vitest";
import labs from "../../content/part-1-design/04-list-watch/lab.ts";
import { measure } from "../../src/figures/news/measure.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

const run = (id: string) => runOf(labOf(labs, id));

describe("asking against being told", () => {
  it("costs requests by the cluster's size and the pause, and is late by half of it", async () => {
    const asked = await measure(20, 10);
    expect(asked.requests).toBe(20 * 6);
    expect(asked.meanMs).toBeGreaterThan(4_000);
    expect(asked.meanMs).toBeLessThan(6_000);
    expect(asked.maxMs).toBeLessThan(10_100);
  });

  it("costs a list and a watch for each who is told, and is late by one message", async () => {
    const told = await measure(20, "watch");
    expect(told.requests).toBe(20 * 2);
    expect(told.maxMs).toBeLessThan(2);
  });
});

describe("the cluster at rest", () => {
  it("lists and watches at the start, and nothing after that", async () => {
    const requests = (await run("rest")).filter(({ verb }) => verb === "request");
    const of = (word: string, from: number, to: number) =>
      requests.filter(({ subject, atMs }) => {
        return subject.startsWith(word) && atMs >= from * 1000 && atMs < to * 1000;
      }).length;
    expect([of("LIST", 0, 10), of("WATCH", 0, 10)]).toEqual([76, 76]);
    expect([of("LIST", 10, 60), of("WATCH", 10, 60)]).toEqual([0, 0]);
    expect([of("PUT leases", 10, 40), of("PATCH nodes/status", 10, 40)]).toEqual([9, 3]);
    expect(of("", 10, 40)).toBe(12);
  });

  it("meets one conflict when it is scaled, because a copy was old", async () => {
    const answers = (await run("rest")).filter(
      ({ verb, atMs, target }) =>
        verb === "response" && atMs > 40_000 && target === "replicaset-controller",
    );
    expect(answers.map(({ subject }) => subject)).toEqual([
      ...["201 Created", "201 Created", "200 OK", "409 Conflict", "200 OK", "200 OK"],
      ...["200 OK"],
    ]);
  });
});

it("the API server that started anew has forgotten the version that is asked for", async () => {
  const errors = (await run("gone")).filter(
    ({ verb, actor, subject }) =>
      verb === "error" && actor === "kube-controller-manager" && subject === "watch replicasets",
  );
  expect(errors.map(({ detail }) => (detail as { message: string }).message)).toEqual([
    "dial tcp kube-apiserver:6443: connect: i/o timeout",
    "too old resource version: 174 (180)",
  ]);
});
