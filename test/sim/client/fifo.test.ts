import { describe, expect, it } from "vitest";
import { Fifo } from "../../../sim/src/client/fifo.ts";

describe("Fifo", () => {
  it("gives back what was put in, oldest first, however the two mix", () => {
    const fifo = new Fifo<number>();
    const taken: (number | undefined)[] = [];
    for (let i = 0; i < 100; i++) {
      fifo.push(i);
      if (i % 3 !== 0) taken.push(fifo.shift());
    }
    while (fifo.length > 0) taken.push(fifo.shift());
    expect(taken).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(fifo.shift()).toBeUndefined();
  });

  it("keeps nothing of what was taken", () => {
    const fifo = new Fifo<object>();
    for (let i = 0; i < 40; i++) fifo.push({ i });
    for (let i = 0; i < 30; i++) fifo.shift();
    expect(JSON.stringify(fifo).match(/"i":/g)).toHaveLength(10);
  });
});
