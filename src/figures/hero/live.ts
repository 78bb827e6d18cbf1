/** A live cluster in a page: the run so far, its playback, and the next deed. */
import type { Input, Row, Scenario } from "@shikumi/sim";
import { ObjectReader } from "@shikumi/sim/view";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SimRuntime } from "../../sandbox/runtime/types.ts";
import { type Beat, storyOf, visibleBeats } from "../rail/story.ts";
import { type Deed, rowsOf, withDeed } from "./hero.ts";

export interface LiveOptions {
  readonly simBase: string;
  readonly scenario: Scenario;
  /** What has been done before the reader does anything. */
  readonly first: readonly Input[];
  readonly beatsPerSecond: number;
}

export interface Live {
  /** Everything that was done; empty before the first deed. */
  readonly inputs: readonly Input[];
  readonly rows: readonly Row[];
  readonly beats: readonly Beat[];
  /** Index of the beat that is shown. */
  readonly at: number;
  readonly playing: boolean;
  readonly objects: ReturnType<ObjectReader["objectsAt"]>;
  readonly state: "idle" | "loading" | "failed";
  /** Why it failed. */
  readonly reason: string;
  readonly act: (deed: Deed) => void;
  readonly reset: () => void;
  /** Fetches the simulator before it is needed. */
  readonly warm: () => void;
}

export function useLive({ simBase, scenario, first, beatsPerSecond }: LiveOptions): Live {
  const runtime = useRef<Promise<SimRuntime> | null>(null);
  const [inputs, setInputs] = useState<readonly Input[]>([]);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [at, setAt] = useState(0);
  const [state, setState] = useState<Live["state"]>("idle");
  const [reason, setReason] = useState("");
  const beats = useMemo(() => visibleBeats(storyOf(rows), false), [rows]);
  const playing = rows.length > 0 && at < beats.length - 1;

  useEffect(() => {
    if (!playing) return;
    const step = () => !document.hidden && setAt((n) => n + 1);
    const timer = setInterval(step, 1000 / beatsPerSecond);
    return () => clearInterval(timer);
  }, [playing]);

  const boot = () => (runtime.current ??= start(simBase));
  const run = async (next: readonly Input[]) => {
    setState("loading");
    try {
      const found = await rowsOf(await boot(), scenario, next);
      setInputs(next);
      setRows(found);
      setAt(firstShown(found, next.at(-1)!.atMs));
      setState("idle");
    } catch (error) {
      runtime.current = null;
      setReason(error instanceof Error ? error.message : String(error));
      setState("failed");
    }
  };
  const act = (deed: Deed) => {
    const base = inputs.length > 0 ? inputs : first;
    void run(withDeed(base, deed, beats.at(-1)?.atMs ?? base.at(-1)!.atMs));
  };

  const reader = useMemo(() => new ObjectReader(), [rows]);
  const next = beats[at + 1];
  const objects = reader.objectsAt(rows, next ? next.id - 1 : Number.MAX_SAFE_INTEGER);
  const reset = () => void run(first);
  const warm = () => void boot().catch(() => {});
  return { inputs, rows, beats, at, playing, objects, state, reason, act, reset, warm };
}

/** The beat to play from: that of the newest deed, or the last one where nothing may move. */
function firstShown(rows: readonly Row[], deedMs: number): number {
  const beats = visibleBeats(storyOf(rows), false);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isStill) return beats.length - 1;
  const from = rows.find((row) => DEEDS.has(row.verb) && row.atMs >= deedMs)?.id ?? 0;
  return Math.max(
    0,
    beats.findIndex((beat) => beat.id >= from),
  );
}

const DEEDS = new Set(["input", "fault"]);

async function start(simBase: string): Promise<SimRuntime> {
  const [{ SimAssets }, { WorkerRuntime }] = await Promise.all([
    import("../../sandbox/runtime/manifest.ts"),
    import("../../sandbox/runtime/worker/runtime.ts"),
  ]);
  const runtime = new WorkerRuntime(new SimAssets(simBase));
  await runtime.boot({ signal: new AbortController().signal, timeoutMs: 10_000, onStage() {} });
  return runtime;
}
