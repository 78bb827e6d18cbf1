/** The live cluster of the first screen: three deeds, and what comes of them. */
import type { Input, Row } from "@shikumi/sim";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { RowReader } from "../../sandbox/rows.ts";
import type { SimRuntime } from "../../sandbox/runtime/types.ts";
import { createTexts, type Texts } from "../../sandbox/texts.ts";
import { sayer } from "../../sandbox/ui/say.ts";
import type { Lang } from "../../site.ts";
import { ClusterView } from "../cluster/ClusterView.tsx";
import { formatMs } from "../rail/Rail.tsx";
import { type Beat, storyOf, visibleBeats } from "../rail/story.ts";
import { type Deed, FIRST, rowsOf, withDeed } from "./hero.ts";

interface Props {
  readonly lang: Lang;
  readonly texts: Parameters<typeof createTexts>[1];
  readonly simBase: string;
  readonly children?: ComponentChildren;
}

const BEATS_PER_SECOND = 14;

export default function Hero({ lang, texts, simBase, children }: Props): JSX.Element {
  const t = useMemo(() => createTexts(lang, texts), []);
  const say = useMemo(() => sayer(t), []);
  const runtime = useRef<Promise<SimRuntime> | null>(null);
  const [inputs, setInputs] = useState<readonly Input[]>([]);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [at, setAt] = useState(0);
  const [note, setNote] = useState("");
  const beats = useMemo(() => visibleBeats(storyOf(rows), false), [rows]);
  const playing = rows.length > 0 && at < beats.length - 1;

  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(
      () => !document.hidden && setAt((n) => n + 1),
      1000 / BEATS_PER_SECOND,
    );
    return () => clearInterval(timer);
  }, [playing]);

  const warm = () => (runtime.current ??= boot(simBase));
  const run = async (next: readonly Input[]) => {
    setNote(t("hero.loading"));
    try {
      const found = await rowsOf(await warm(), next);
      setInputs(next);
      setRows(found);
      const last = visibleBeats(storyOf(found), false).length - 1;
      const from =
        found.find((row) => row.verb === "input" && row.atMs >= next.at(-1)!.atMs)?.id ?? 0;
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      setAt(
        still ? last : visibleBeats(storyOf(found), false).findIndex((beat) => beat.id >= from),
      );
      setNote("");
    } catch (error) {
      runtime.current = null;
      setNote(t("hero.failed", { reason: error instanceof Error ? error.message : String(error) }));
    }
  };
  const act = (deed: Deed) => {
    const base = inputs.length > 0 ? inputs : FIRST;
    void run(withDeed(base, deed, beats.at(-1)?.atMs ?? base.at(-1)!.atMs));
  };

  const reader = useMemo(() => new RowReader(), [rows]);
  const next = beats[at + 1];
  const objects = reader.objectsAt(rows, next ? next.id - 1 : Number.MAX_SAFE_INTEGER);
  return (
    <div
      class="hero-live"
      onPointerEnter={() => void warm().catch(() => {})}
      onFocusIn={() => void warm().catch(() => {})}
    >
      <section class="sandbox hero-stage" aria-label={t("hero.label")}>
        {rows.length === 0 ? children : <ClusterView objects={objects} texts={clusterTexts(t)} />}
      </section>
      <Deeds
        inputs={inputs}
        pods={podNames(objects)}
        t={t}
        act={act}
        reset={() => void run(FIRST)}
      />
      <Ticker beats={beats.slice(0, at + 1)} say={say} origin={beats[0]?.atMs ?? 0} />
      <p class="hero-note" role="status">
        {note || ending(playing, rows, objects, t)}
      </p>
    </div>
  );
}

async function boot(simBase: string): Promise<SimRuntime> {
  const [{ SimAssets }, { WorkerRuntime }] = await Promise.all([
    import("../../sandbox/runtime/manifest.ts"),
    import("../../sandbox/runtime/worker/runtime.ts"),
  ]);
  const runtime = new WorkerRuntime(new SimAssets(simBase));
  await runtime.boot({ signal: new AbortController().signal, timeoutMs: 10_000, onStage() {} });
  return runtime;
}

interface DeedsProps {
  readonly inputs: readonly Input[];
  readonly pods: readonly string[];
  readonly t: Texts;
  readonly act: (deed: Deed) => void;
  readonly reset: () => void;
}

function Deeds({ inputs, pods, t, act, reset }: DeedsProps): JSX.Element {
  const stopped = (actor: string) =>
    inputs.findLast((input) => "actor" in input && input.actor === actor)?.do === "stop";
  const six = inputs.findLast((input) => input.do === "kubectl" && /^scale/.test(input.line));
  const up = !(six && "line" in six && six.line.endsWith("6"));
  const toggle = (actor: string, stop: string, start: string) => (
    <button type="button" onClick={() => act({ do: stopped(actor) ? "start" : "stop", actor })}>
      {t(stopped(actor) ? start : stop)}
    </button>
  );
  const victim = pods[0];
  return (
    <div class="hero-deeds">
      <button
        type="button"
        onClick={() =>
          act({ do: "kubectl", line: victim ? `delete pod ${victim}` : "delete pod -l app=web" })
        }
      >
        {t("hero.delete")}
      </button>
      {toggle("node/node-2", "hero.stopNode", "hero.startNode")}
      <button
        type="button"
        onClick={() =>
          act({ do: "kubectl", line: `scale deployment web --replicas=${up ? 6 : 3}` })
        }
      >
        {t(up ? "hero.scale" : "hero.scaleBack")}
      </button>
      {toggle("kube-scheduler", "hero.stopScheduler", "hero.startScheduler")}
      {inputs.length > 1 && (
        <button type="button" class="quiet-button" onClick={reset}>
          {t("hero.reset")}
        </button>
      )}
    </div>
  );
}

/** The newest steps, the last one at the bottom. */
function Ticker({
  beats,
  say,
  origin,
}: {
  beats: readonly Beat[];
  say: (beat: Beat) => string;
  origin: number;
}): JSX.Element | null {
  if (beats.length === 0) return null;
  return (
    <ol class="hero-ticker" aria-hidden="true">
      {beats.slice(-4).map((beat) => (
        <li key={beat.id}>
          <time>{formatMs(beat.atMs - origin)}</time> {say(beat)}
        </li>
      ))}
    </ol>
  );
}

type Objects = ReturnType<RowReader["objectsAt"]>;

function podNames(objects: Objects): string[] {
  return [...objects.values()]
    .filter(({ kind, deleting }) => kind === "Pod" && !deleting)
    .map(({ name }) => name);
}

function ending(playing: boolean, rows: readonly Row[], objects: Objects, t: Texts): string {
  if (rows.length === 0) return t("hero.invite");
  if (playing) return "";
  const web = [...objects.values()].find(({ kind }) => kind === "Deployment");
  const [wanted = 0, , , ready = 0] = web?.counts ?? [];
  return t(ready === wanted ? "hero.settled" : "hero.waiting", { ready, wanted });
}

function clusterTexts(t: Texts) {
  return {
    wanted: t("wanted"),
    noNode: t("noNode"),
    empty: t("noNodes"),
    cordoned: t("cordoned"),
    notReady: t("notReady"),
    pods: (count: number) => t("pods", { count }),
    counts: (ready: number, wanted: number) => t("counts", { ready, wanted }),
  };
}
