import { Trace } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { ENTRIES_MAX } from "../../../sim/src/kernel/trace-page.ts";

describe("the trace", () => {
  const COUNT = ENTRIES_MAX * 2 + 5;

  function filled(level: "full" | "thin" = "full"): Trace {
    const trace = new Trace(level);
    for (let i = 1; i <= COUNT; i++) {
      const verb = i % 2 === 0 ? "write" : "watch";
      trace.add(i / 4, `a-${i}`, verb, `s-${i}`, i - 1, `t-${i}`, { i });
    }
    return trace;
  }

  it("gives back each entry as it was recorded, on whichever page it lies", () => {
    const trace = filled();
    expect(trace.length).toBe(COUNT);
    for (const id of [1, ENTRIES_MAX, ENTRIES_MAX + 1, ENTRIES_MAX * 2, COUNT]) {
      const entry = {
        ...{ id, atMs: id / 4, actor: `a-${id}`, verb: id % 2 === 0 ? "write" : "watch" },
        ...{ subject: `s-${id}`, target: `t-${id}`, causeId: id - 1, detail: { i: id } },
      };
      expect(trace.at(id - 1)).toEqual(entry);
      expect(trace.get(id)).toEqual(entry);
    }
    expect(trace.get(0)).toBeUndefined();
    expect(trace.get(COUNT + 1)).toBeUndefined();
    expect([...trace].map(({ id }) => id)).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1));
  });

  it("goes from page to page when asked why", () => {
    const chain = filled().why(COUNT);
    expect(chain).toHaveLength(COUNT);
    expect(chain.at(-1)!.id).toBe(1);
  });

  it("keeps writes alone when thin, without what they hold, under their own ids", () => {
    const trace = filled("thin");
    expect(trace.length).toBe(Math.floor(COUNT / 2));
    expect(trace.lastId).toBe(COUNT);
    expect(trace.get(ENTRIES_MAX + 1)).toBeUndefined();
    expect(trace.get(ENTRIES_MAX * 2)).toMatchObject({ verb: "write", detail: undefined });
    expect(trace.at(trace.length - 1).id).toBe(COUNT - 1);
  });

  it("words a subject that was left out when it is read, from the detail", () => {
    const trace = new Trace("full");
    trace.wordings.set("watch", { subjectOf: (detail) => `saw ${JSON.stringify(detail)}` });
    trace.add(0, "a", "watch", null, 0, "b", { i: 1 });
    trace.add(0, "a", "watch", "given", 1, "b", { i: 2 });
    trace.add(0, "a", "write", null, 2, "b", { i: 3 });
    expect([...trace].map(({ subject }) => subject)).toEqual(['saw {"i":1}', "given", ""]);
    expect(trace.get(1)!.subject).toBe('saw {"i":1}');
  });
});
