import { describe, expect, it } from "vitest";
import type { Event } from "../../../sim/src/api/kinds/event.ts";
import { EventCorrelator } from "../../../sim/src/client/event-correlator.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

function event(message: string, uid = "u"): Event {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `web.${message}`, namespace: "default" },
    involvedObject: { kind: "ReplicaSet", namespace: "default", name: "web", uid },
    source: { component: "replicaset-controller" },
    reason: "SuccessfulCreate",
    type: "Normal",
    message,
    count: 1,
  };
}

describe("EventCorrelator", () => {
  it("raises the count of an Event that repeats", () => {
    const correlator = new EventCorrelator(new Kernel());
    correlator.correlate(event("Created pod: a"));
    const again = correlator.correlate(event("Created pod: a"));
    expect(again?.event.count).toBe(2);
    expect(again?.patch).toMatchObject({ count: 2 });
    expect(again?.event.metadata.name).toBe("web.Created pod: a");
  });

  it("combines the tenth message and those after it", () => {
    const correlator = new EventCorrelator(new Kernel());
    const messages = Array.from({ length: 12 }, (_, i) => {
      return correlator.correlate(event(`Created pod: ${i}`))?.event;
    });
    expect(messages[8]?.message).toBe("Created pod: 8");
    expect(messages[9]?.message).toBe("(combined from similar events): Created pod: 9");
    expect(messages[11]?.message).toBe("(combined from similar events): Created pod: 11");
    expect(messages[11]?.count).toBe(3);
  });

  it("combines what is said of one object, whichever part of it is meant", () => {
    const correlator = new EventCorrelator(new Kernel());
    const counts = Array.from({ length: 12 }, (_, i) => {
      const one = event(`Pulling image ${i}`);
      const involvedObject = { ...one.involvedObject, fieldPath: `spec.containers{c${i}}` };
      return correlator.correlate({ ...one, involvedObject })?.event.count;
    });
    expect(counts.slice(8)).toEqual([1, 1, 2, 3]);
  });

  it("tells an Event from its like by the part of the object", () => {
    const correlator = new EventCorrelator(new Kernel());
    const of = (fieldPath: string) => {
      const one = event("Started container");
      return correlator.correlate({ ...one, involvedObject: { ...one.involvedObject, fieldPath } });
    };
    of("spec.containers{a}");
    expect(of("spec.containers{b}")?.patch).toBeUndefined();
    expect(of("spec.containers{a}")?.event.count).toBe(2);
  });

  it("goes on from the Event as the server has it", () => {
    const correlator = new EventCorrelator(new Kernel());
    const first = correlator.correlate(event("Created pod: a"))!;
    correlator.written(first, {
      ...first.event,
      metadata: { name: "given", namespace: "default" },
    });
    expect(correlator.correlate(event("Created pod: a"))?.event.metadata.name).toBe("given");
  });

  it("cuts a source off after 25 Events about an object, 1 more in 5 min", async () => {
    const kernel = new Kernel();
    const correlator = new EventCorrelator(kernel);
    const count = (n: number) =>
      Array.from({ length: n }, (_, i) => correlator.correlate(event(`${i}`))).filter(Boolean)
        .length;
    expect(count(40)).toBe(25);
    expect(correlator.correlate(event("other", "other"))).toBeDefined();
    kernel.after(300_000, () => {});
    await kernel.run();
    expect(count(5)).toBe(1);
  });

  it("makes a series of what repeats in the newer API", () => {
    const correlator = new EventCorrelator(new Kernel());
    const newer = { ...event("0/3 nodes are available"), eventTime: "2026-01-01T00:00:00.000000Z" };
    expect(correlator.correlate(newer)?.patch).toBeUndefined();
    expect(correlator.correlate(newer)?.patch).toMatchObject({ series: { count: 2 } });
    expect(correlator.correlate(newer)?.event.series?.count).toBe(3);
  });
});
