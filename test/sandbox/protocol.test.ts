import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CAPS, decode } from "../../src/sandbox/runtime/protocol.ts";

const row = { id: 1, atMs: 0.5, actor: "you", verb: "input", subject: "x", target: "", causeId: 0 };
const send = (value: unknown) => decode(JSON.stringify(value));

describe("messages from a host", () => {
  it("are taken as they are when they are right", () => {
    const object = {
      kind: "Pod",
      namespace: "default",
      name: "a",
      uid: "u",
      ready: true,
      counts: [1, 2],
      taints: ["a:b"],
    };
    const rows = [row, { ...row, id: 2, type: "ADDED", object, code: 201 }];
    expect(send({ t: "rows", rows })).toEqual({ t: "rows", rows });
    expect(send({ t: "started" })).toEqual({ t: "started" });
    const result = { reason: "quiet", steps: 1, atMs: 2, entries: 3, hash: "ab", wallMs: 4 };
    expect(send({ t: "result", result })).toEqual({ t: "result", result });
  });

  it("lose what is not of the protocol", () => {
    const extra = {
      ...row,
      html: "<b>",
      object: { kind: "Pod", namespace: "", name: "a", uid: "", onclick: "x" },
    };
    const message = send({ t: "rows", rows: [extra], more: 1 });
    expect(message).toEqual({
      t: "rows",
      rows: [{ ...row, object: { kind: "Pod", namespace: "", name: "a", uid: "" } }],
    });
  });

  it.each([
    ["a row without an id", { t: "rows", rows: [{ ...row, id: undefined }] }],
    ["a row whose id is a text", { t: "rows", rows: [{ ...row, id: "1" }] }],
    ["a negative id", { t: "rows", rows: [{ ...row, id: -1 }] }],
    ["an actor that is an object", { t: "rows", rows: [{ ...row, actor: {} }] }],
    ["rows that are no list", { t: "rows", rows: { length: 1 } }],
    ["too many rows", { t: "rows", rows: new Array(CAPS.rowsPerMessage + 1).fill(row) }],
    [
      "counts that are texts",
      {
        t: "rows",
        rows: [{ ...row, object: { kind: "", namespace: "", name: "", uid: "", counts: ["1"] } }],
      },
    ],
    ["an unknown reason", { t: "result", result: { reason: "bored" } }],
    ["an unknown type", { t: "eval", code: "1" }],
    ["a number", 1],
    ["null", null],
  ])("are refused: %s", (_name, value) => {
    expect(send(value)).toBeNull();
  });

  it("are refused if they are no text, or too long", () => {
    expect(decode({ t: "started" })).toBeNull();
    expect(decode("{")).toBeNull();
    expect(decode(`{"t":"started","x":"${"y".repeat(CAPS.messageLength)}"}`)).toBeNull();
  });

  it("are cut to length", () => {
    const message = send({ t: "rows", rows: [{ ...row, subject: "x".repeat(5_000) }] });
    expect(message?.t === "rows" && message.rows[0]!.subject).toHaveLength(CAPS.text + 1);
    const line = send({
      t: "console",
      line: { level: "log", from: "code", atMs: 0, text: "y".repeat(1e5) },
    });
    expect(line?.t === "console" && line.line.text).toHaveLength(CAPS.consoleText + 1);
  });

  it("cannot claim what only the page can know", () => {
    const error = { kind: "boot", message: "x", stack: "", actor: "", fatal: true };
    expect(send({ t: "error", error })).toMatchObject({ error: { kind: "throw" } });
  });

  it("never throw and never give a value of an unknown form", () => {
    const types = new Set(["started", "rows", "console", "progress", "result", "error", "answer"]);
    const near = fc.record({
      t: fc.constantFrom(...types),
      rows: fc.jsonValue(),
      line: fc.jsonValue(),
      result: fc.jsonValue(),
      error: fc.jsonValue(),
      n: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), (value) => {
        const message = send(value);
        if (message) expect(types.has(message.t)).toBe(true);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
    );
  });
});
