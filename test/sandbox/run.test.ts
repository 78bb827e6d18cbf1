import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CAPS, type HostRequest, type StartRequest } from "../../src/sandbox/runtime/protocol.ts";
import { type ConnectionEvents, ProgramRun } from "../../src/sandbox/runtime/run.ts";
import { framesOf } from "../../src/sandbox/runtime/stack.ts";
import { BootError, type Program, type RunMessage } from "../../src/sandbox/runtime/types.ts";

const program: Program = { files: {}, scenario: {}, seed: 1, inputs: [] };
const row = { id: 1, atMs: 0, actor: "you", verb: "input", subject: "x", target: "", causeId: 0 };
const result = { reason: "quiet", steps: 1, atMs: 2, entries: 3, hash: "ab", wallMs: 4 } as const;

/** A back end that is moved by hand. */
class Hand {
  readonly patience = 1;
  readonly startMs = 5_000;
  readonly loadMs = 3_000;
  readonly sent: HostRequest[] = [];
  readonly starts: StartRequest[] = [];
  killed = 0;
  refuse: Error | null = null;
  events!: ConnectionEvents;

  async link() {
    return { modules: [], edited: [], entry: "index.ts", parts: [], far: {} };
  }

  async frames(stack: string) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return framesOf(stack);
  }

  async connect(start: StartRequest, _program: Program, events: ConnectionEvents) {
    if (this.refuse) throw this.refuse;
    this.starts.push(start);
    this.events = events;
    return {
      send: (request: HostRequest) => void this.sent.push(request),
      kill: () => void this.killed++,
    };
  }

  say(message: unknown): void {
    this.events.onText(JSON.stringify(message));
  }
}

let hand: Hand;

beforeEach(() => {
  vi.useFakeTimers();
  hand = new Hand();
});
afterEach(() => vi.useRealTimers());

async function started(more: Partial<Program> = {}): Promise<ProgramRun> {
  const run = new ProgramRun(hand, { ...program, ...more });
  await vi.advanceTimersByTimeAsync(0);
  return run;
}

async function messagesOf(run: ProgramRun): Promise<RunMessage[]> {
  const messages: RunMessage[] = [];
  for await (const message of run) messages.push(message);
  return messages;
}

async function kindOfEnd(run: ProgramRun): Promise<string> {
  const end = await run.end;
  return end.ok ? "ok" : end.error.kind;
}

describe("a run", () => {
  it("passes on what the host says, in order, and ends with the result", async () => {
    const run = await started();
    hand.say({ t: "started" });
    hand.say({ t: "rows", rows: [row] });
    hand.say({ t: "result", result });
    const messages = await messagesOf(run);
    expect(messages.map(({ type }) => type)).toEqual(["rows", "result"]);
    expect(await run.end).toEqual({ ok: true, result });
    expect(hand.killed).toBe(0); // Kept to be asked.
  });

  it("is killed when it falls silent, but not while it shows life", async () => {
    const run = await started();
    hand.say({ t: "loaded" });
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(900);
      hand.say({ t: "progress", atMs: i, steps: i, entries: i });
    }
    expect(hand.killed).toBe(0);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(await kindOfEnd(run)).toBe("unresponsive");
    expect(hand.killed).toBe(1);
  });

  it("has longer to load its modules than to show life afterwards", async () => {
    const run = await started();
    await vi.advanceTimersByTimeAsync(4_900);
    hand.say({ t: "started" });
    await vi.advanceTimersByTimeAsync(2_900);
    hand.say({ t: "loaded" });
    expect(hand.killed).toBe(0);
    await vi.advanceTimersByTimeAsync(1_200);
    expect(await kindOfEnd(run)).toBe("unresponsive");
  });

  it("is not kept alive by what it prints", async () => {
    const run = await started();
    hand.say({ t: "loaded" });
    for (let i = 0; i < 12; i++) {
      await vi.advanceTimersByTimeAsync(100);
      hand.say({ t: "console", line: { level: "log", from: "code", atMs: 0, text: "x" } });
    }
    expect(await kindOfEnd(run)).toBe("unresponsive");
  });

  it("is killed past its time, whatever it shows", async () => {
    const run = await started({ limits: { wallMs: 3_000 } });
    for (let i = 0; i < 140; i++) {
      await vi.advanceTimersByTimeAsync(100);
      hand.say({ t: "progress", atMs: i, steps: i, entries: i });
    }
    expect(await kindOfEnd(run)).toBe("unresponsive");
  });

  it("is killed for a message that is none", async () => {
    const run = await started();
    hand.events.onText("nonsense");
    expect(await kindOfEnd(run)).toBe("protocol");
    expect(hand.killed).toBe(1);
  });

  it("is killed for too many messages, and for too many entries", async () => {
    const flood = await started();
    for (let i = 0; i <= CAPS.messages; i++)
      hand.say({ t: "console", line: { level: "log", from: "", atMs: 0, text: "" } });
    expect(await kindOfEnd(flood)).toBe("flood");
    const entries = await started({ limits: { entries: 100 } });
    const rows = new Array(4_000).fill(row);
    for (let i = 0; i < 3; i++) hand.say({ t: "rows", rows });
    expect(await kindOfEnd(entries)).toBe("flood");
  });

  it("keeps so many lines of the console and no more", async () => {
    const run = await started({ limits: { consoleLines: 5 } });
    for (let i = 0; i < 9; i++)
      hand.say({ t: "console", line: { level: "log", from: "code", atMs: 0, text: "x" } });
    hand.say({ t: "result", result });
    expect((await messagesOf(run)).filter(({ type }) => type === "console")).toHaveLength(5);
  });

  it("passes on so many mistakes and no more, none as a sign of life", async () => {
    const run = await started();
    hand.say({ t: "loaded" });
    const problem = { code: "x", params: {}, file: "", document: 1, line: 1, column: 1 };
    for (let i = 0; i < 300; i++) hand.say({ t: "problem", problem });
    await vi.advanceTimersByTimeAsync(1_200);
    const messages = await messagesOf(run);
    expect(messages.filter(({ type }) => type === "problem")).toHaveLength(200);
    expect(await kindOfEnd(run)).toBe("unresponsive");
  });

  it("cannot raise its own limits", async () => {
    await started({ limits: { steps: 1e12, entries: 10 } });
    expect(hand.starts[0]!.limits).toMatchObject({ steps: 5_000_000, entries: 10 });
  });

  it("asks to stop, and kills what does not listen", async () => {
    const run = await started();
    hand.say({ t: "started" });
    run.stop();
    expect(hand.sent).toEqual([{ t: "stop" }]);
    for (let i = 0; i < 20; i++) {
      await vi.advanceTimersByTimeAsync(100);
      hand.say({ t: "progress", atMs: i, steps: i, entries: i });
    }
    expect(await kindOfEnd(run)).toBe("unresponsive");
  });

  it("ends with a sentence when the host goes away, or never came", async () => {
    const gone = await started();
    hand.events.onClosed("node ended with exit code 1");
    expect(await kindOfEnd(gone)).toBe("crashed");
    hand.refuse = new BootError("blocked");
    const never = await started();
    expect(await never.end).toMatchObject({
      ok: false,
      error: { kind: "boot", params: { reason: "blocked" } },
    });
  });

  it("ends when it is let go, finished or not", async () => {
    const run = await started();
    hand.say({ t: "loaded" });
    run.dispose();
    expect(await messagesOf(run)).toEqual([]);
    expect(await run.end).toMatchObject({ ok: false });
    expect(hand.killed).toBe(1);
    await expect(run.ask({ ask: "entry", id: 1 })).rejects.toThrow();
  });

  it("goes on after an error that is not fatal, ends at one that is", async () => {
    const run = await started();
    const stack = "Error: x\n    at f (sim:///set.ts:3:9)";
    const error = { kind: "throw", message: "x", stack, actor: "a", fatal: false };
    hand.say({ t: "error", error });
    hand.say({ t: "error", error: { ...error, fatal: true } });
    const errors = (await messagesOf(run)).flatMap((message) =>
      message.type === "error" ? [message.error] : [],
    );
    expect(errors.map(({ fatal }) => fatal)).toEqual([false, true]);
    expect(errors[0]).toMatchObject({ file: "set.ts", line: 3, column: 9, params: { actor: "a" } });
  });
});

describe("an error in the bundle", () => {
  it("is told before what came after it, though its lines take a while to find", async () => {
    const run = await started();
    const stack = "Error: x\n    at o (sim-core:///core.js:1:9)\n    at f (sim:///set.ts:3:9)";
    hand.say({
      t: "error",
      error: { kind: "throw", message: "x", stack, actor: "a", fatal: false },
    });
    hand.say({ t: "rows", rows: [row] });
    hand.say({ t: "result", result });
    const messages = messagesOf(run);
    await vi.advanceTimersByTimeAsync(60);
    expect((await messages).map(({ type }) => type)).toEqual(["error", "rows", "result"]);
  });
});

describe("asking a finished run", () => {
  it("is answered by its host", async () => {
    const run = await started();
    hand.say({ t: "result", result });
    const answer = run.ask({ ask: "entry", id: 4 });
    await vi.advanceTimersByTimeAsync(0);
    expect(hand.sent).toEqual([{ t: "ask", n: 1, question: { ask: "entry", id: 4 } }]);
    hand.say({ t: "answer", n: 1, value: { id: 4 } });
    expect(await answer).toEqual({ id: 4 });
  });

  it("re-runs the program quietly if the host was let go", async () => {
    const run = await started();
    hand.say({ t: "result", result });
    run.release();
    const answer = run.ask({ ask: "why", id: 4 });
    await vi.advanceTimersByTimeAsync(0);
    expect(hand.starts[1]).toMatchObject({ quiet: true, seed: 1 });
    hand.say({ t: "result", result });
    await vi.advanceTimersByTimeAsync(0);
    hand.say({ t: "answer", n: 1, value: [4, 1] });
    expect(await answer).toEqual([4, 1]);
  });

  it("re-runs it to the entry for the line of source", async () => {
    const run = await started();
    hand.say({ t: "result", result });
    const answer = run.ask({ ask: "stack", id: 4 });
    await vi.advanceTimersByTimeAsync(0);
    expect(hand.starts[1]).toMatchObject({ stackAt: 4 });
    hand.say({
      t: "answer",
      n: 0,
      value: "Error\n    at async sync (sim:///a/b.ts:7:3)\n    at x (node:y:1:1)",
    });
    await vi.advanceTimersByTimeAsync(60);
    expect(await answer).toEqual([{ file: "a/b.ts", line: 7, column: 3, name: "sync" }]);
  });

  it("is refused for one that was killed, and gives up on a silent host", async () => {
    const killed = await started();
    hand.events.onText("nonsense");
    await expect(killed.ask({ ask: "entry", id: 1 })).rejects.toThrow("ended early");
    const silent = await started();
    hand.say({ t: "result", result });
    const answer = silent.ask({ ask: "entry", id: 1 });
    const refused = expect(answer).rejects.toThrow("no answer");
    await vi.advanceTimersByTimeAsync(11_000);
    await refused;
  });
});
