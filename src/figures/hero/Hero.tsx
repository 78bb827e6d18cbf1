/** The live cluster of the first screen: three deeds, and what comes of them. */
import type { Input, Row } from "@shikumi/sim";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { createTexts, type Texts } from "../../sandbox/texts.ts";
import { sayer } from "../../sandbox/ui/say.ts";
import type { Lang } from "../../site.ts";
import { ClusterView } from "../cluster/ClusterView.tsx";
import { formatMs } from "../rail/Rail.tsx";
import type { Beat } from "../rail/story.ts";
import { type Deed, FIRST, SCENARIO } from "./hero.ts";
import { type Live, useLive } from "./live.ts";

interface Props {
  readonly lang: Lang;
  readonly texts: Parameters<typeof createTexts>[1];
  readonly simBase: string;
  readonly children?: ComponentChildren;
}

export default function Hero({ lang, texts, simBase, children }: Props): JSX.Element {
  const t = useMemo(() => createTexts(lang, texts), []);
  const say = useMemo(() => sayer(t), []);
  const live = useLive({ simBase, scenario: SCENARIO, first: FIRST, beatsPerSecond: 14 });
  const { inputs, rows, beats, at, playing, objects, act, reset, warm } = live;
  return (
    <div class="hero-live" onPointerEnter={warm} onFocusIn={warm}>
      <section class="sandbox hero-stage" aria-label={t("hero.label")}>
        {rows.length === 0 ? children : <ClusterView objects={objects} texts={clusterTexts(t)} />}
      </section>
      <Deeds inputs={inputs} pods={podNames(objects)} t={t} act={act} reset={reset} />
      <Ticker beats={beats.slice(0, at + 1)} say={say} origin={beats[0]?.atMs ?? 0} />
      <p class="hero-note" role="status">
        {noteOf(live, t) || ending(playing, rows, objects, t)}
      </p>
    </div>
  );
}

/** What a reader must know of the machinery; "" while all is well. */
export function noteOf({ state, reason }: Live, t: Texts): string {
  if (state === "loading") return t("hero.loading");
  return state === "failed" ? t("hero.failed", { reason }) : "";
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
    <div class="deeds">
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

type Objects = Live["objects"];

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

export function clusterTexts(t: Texts) {
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
