/** A cluster that the reader breaks, and beside it the list of those who mend it. */
import type { ObjectSummary } from "@shikumi/sim";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { createTexts, type Texts } from "../../sandbox/texts.ts";
import type { Lang } from "../../site.ts";
import { ClusterView } from "../cluster/ClusterView.tsx";
import { clusterTexts } from "../hero/Hero.tsx";
import { type Deed, SCENARIO } from "../hero/hero.ts";
import { useLive } from "../hero/live.ts";
import { deadNodes, FIRST, healingsOf, imageLine, NEW_IMAGE, scaleLine, wantedBy } from "./heal.ts";
import { Ledger } from "./Ledger.tsx";

interface Props {
  readonly lang: Lang;
  readonly texts: Parameters<typeof createTexts>[1];
  readonly simBase: string;
  /** The settled cluster, before the reader did anything. */
  readonly settled: readonly (readonly [string, ObjectSummary])[];
}

export default function Heal({ lang, texts, simBase, settled }: Props): JSX.Element {
  const t = useMemo(() => createTexts(lang, texts), []);
  const live = useLive({ simBase, scenario: SCENARIO, first: FIRST, beatsPerSecond: 32 });
  const { inputs, rows, beats, at, playing, warm } = live;
  const begun = rows.length > 0;
  const objects = useMemo(() => (begun ? live.objects : new Map(settled)), [begun, live.objects]);
  const healings = useMemo(() => healingsOf(beats.slice(0, at + 1), inputs), [beats, at, inputs]);
  const note = live.state === "idle" ? "" : t(live.state, { reason: live.reason });
  return (
    <div class="heal" onPointerEnter={warm} onFocusIn={warm}>
      <section class="sandbox heal-stage" aria-label={t("label")}>
        <ClusterView objects={objects} texts={clusterTexts(t)} />
      </section>
      <div class="deeds heal-buttons">
        {deedsOf(inputs, [...objects.values()], t).map(([text, deed]) => (
          <button key={text} type="button" onClick={() => live.act(deed)}>
            {text}
          </button>
        ))}
        {inputs.length > 1 && (
          <button type="button" class="quiet-button" onClick={live.reset}>
            {t("deed.reset")}
          </button>
        )}
        <span class="heal-note" role="status">
          {note}
        </span>
      </div>
      <section class="heal-ledger" aria-label={t("ledger")}>
        <h4>{t("ledger")}</h4>
        <Ledger healings={healings} playing={playing} t={t} />
      </section>
    </div>
  );
}

/** What can be done now: a Pod that lives, the node that has most of them, and what is not asked for yet. */
function deedsOf(
  inputs: Parameters<typeof wantedBy>[0],
  objects: readonly ObjectSummary[],
  t: Texts,
): [string, Deed][] {
  const { image, replicas } = wantedBy(inputs);
  const dead = deadNodes(inputs);
  const living = objects.filter(
    ({ kind, deleting, node }) => kind === "Pod" && !deleting && !dead.includes(node ?? ""),
  );
  const victim = living[0]?.name;
  const busiest = busiestNode(living);
  const nextImage = image === NEW_IMAGE ? "nginx:1.27" : NEW_IMAGE;
  const next = replicas === 6 ? 3 : 6;
  const deeds: [string, Deed][] = [];
  if (victim) deeds.push([t("deed.delete"), { do: "kubectl", line: `delete pod ${victim}` }]);
  if (busiest) deeds.push([t("deed.kill"), { do: "stop", actor: `node/${busiest}` }]);
  deeds.push([
    t("deed.image", { image: nextImage }),
    { do: "kubectl", line: imageLine(nextImage) },
  ]);
  deeds.push([t("deed.scale", { count: next }), { do: "kubectl", line: scaleLine(next) }]);
  for (const node of dead)
    deeds.push([t("deed.start", { node }), { do: "start", actor: `node/${node}` }]);
  return deeds;
}

function busiestNode(pods: readonly ObjectSummary[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { node } of pods) if (node) counts.set(node, (counts.get(node) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}
