/**
 * The sandbox: source on the left, cluster on the right, time along the
 * bottom; one control bar. The same object in every lesson.
 */
import { objectId } from "@shikumi/sim/view";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ClusterView } from "../../figures/cluster/ClusterView.tsx";
import { SHAPES, shapePath } from "../../figures/cluster/shapes.ts";
import { lanesOf } from "../../figures/rail/lanes.ts";
import { beatUnder, formatClock, Rail } from "../../figures/rail/Rail.tsx";
import type { Beat } from "../../figures/rail/story.ts";
import type { Lang } from "../../site.ts";
import { Driver } from "../driver.ts";
import { fromFragment, toFragment } from "../share.ts";
import { type LabData, SandboxStore } from "../store.ts";
import { createTexts, type Texts } from "../texts.ts";
import { BackEnd } from "./BackEnd.tsx";
import { Changes } from "./Changes.tsx";
import { Coded } from "./Coded.tsx";
import { Console } from "./Console.tsx";
import { ControlBar, togglePlay } from "./ControlBar.tsx";
import { Detail } from "./Detail.tsx";
import { Editor } from "./Editor.tsx";
import { ErrorBox } from "./ErrorBox.tsx";
import { useLength, usePlayback } from "./hooks.ts";
import { Steps } from "./Panels.tsx";
import { sayer, shorten } from "./say.ts";
import { Task } from "./Task.tsx";

export interface SandboxProps {
  readonly lab: LabData;
  readonly lang: Lang;
  /** Content of i18n/<lang>.json. */
  readonly texts: Parameters<typeof createTexts>[1];
  /** Original text of the lab's files, by path. */
  readonly originals: Readonly<Record<string, string>>;
  /** Where the simulator's files are: `/sim/`. */
  readonly simBase: string;
}

type Tab = "cluster" | "steps" | "console";

export default function Sandbox({
  lab,
  lang,
  texts,
  originals,
  simBase,
}: SandboxProps): JSX.Element {
  const t = useMemo(() => createTexts(lang, texts), []);
  const store = useMemo(() => new SandboxStore(lab, lang, originals), []);
  const driver = useMemo(() => new Driver(store, simBase), []);
  const say = useMemo(() => sayer(t), []);
  const root = useRef<HTMLElement>(null);
  const [tab, setTab] = useState<Tab>(lab.show ?? "cluster");
  const [note, setNote] = useState("");
  const [changesOpen, setChangesOpen] = useState(false);
  const [goTo, setGoTo] = useState<{ line: number; serial: number } | null>(null);

  usePlayback(store);
  useEffect(() => {
    void openShared(store, driver);
    return () => driver.dispose();
  }, []);

  const run = () => void driver.run();
  const reset = () => {
    if (confirm(t("control.resetAsk"))) driver.reset();
  };
  const share = async () => {
    history.replaceState(history.state, "", await toFragment(store.state()));
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    setNote(t(copied ? "control.shared" : "control.shareFailed"));
    setTimeout(() => setNote(""), 4000);
  };
  const openAt = async (file: string, line: number) => {
    await driver.open(file);
    setGoTo({ line, serial: Date.now() });
  };

  return (
    <section
      class="sandbox"
      ref={root}
      aria-label={t("label", { title: lab.title })}
      data-status={store.status.value}
      onPointerEnter={() => driver.warm()}
      onFocusIn={() => driver.warm()}
      onKeyDown={(event) => onKey(event, store, run)}
    >
      <header class="sandbox-head">
        <h3>{lab.title}</h3>
        <BackEnd driver={driver} t={t} />
      </header>
      <ControlBar
        store={store}
        t={t}
        onRun={run}
        onStop={() => driver.stop()}
        onReset={reset}
        onShare={() => void share()}
        onChanges={() => setChangesOpen(!changesOpen)}
        note={note}
      />
      <Task store={store} driver={driver} t={t} />
      {changesOpen && <Changes store={store} t={t} />}
      <ErrorBox store={store} t={t} onOpen={openAt} />
      <div class="sandbox-body">
        <Editor
          store={store}
          t={t}
          onRun={run}
          goTo={goTo}
          onEditing={(file) => driver.warmEditing(file)}
          moreFiles={() => driver.files()}
          onOpen={(file) => void driver.open(file)}
        />
        <div class="view">
          <Tabs tab={tab} onTab={setTab} t={t} lines={store.console.value.length} />
          <div class="panel" role="tabpanel" aria-label={t(`tab.${tab}`)}>
            {tab === "cluster" && <Cluster store={store} t={t} />}
            {tab === "steps" && <Steps store={store} t={t} say={say} />}
            {tab === "console" && <Console store={store} driver={driver} t={t} />}
          </div>
        </div>
      </div>
      <Time store={store} t={t} say={say} />
      <Detail
        store={store}
        t={t}
        say={say}
        inspector={driver.inspector}
        onOpenSource={(frame) => void openAt(frame.file, frame.line)}
      />
      <p class="sandbox-caption">
        <Coded text={lab.caption} />
      </p>
    </section>
  );
}

async function openShared(store: SandboxStore, driver: Driver): Promise<void> {
  const shared = await fromFragment(location.hash);
  if (shared?.lab !== store.lab.id) return;
  store.restore(shared);
  await driver.run();
}

function onKey(event: KeyboardEvent, store: SandboxStore, run: () => void): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, textarea, select, [contenteditable], summary, [role=tablist]")) return;
  const onButton = target.closest("button") !== null;
  const act: Record<string, () => void> = {
    ArrowLeft: () => store.step(-1),
    ArrowRight: () => store.step(1),
    Home: () => store.goTo(0),
    End: () => store.goTo(store.beats.value.length - 1),
    r: run,
    R: run,
  };
  if (!onButton) {
    act[" "] = () => togglePlay(store);
    act.Enter = () => store.select(store.at.value);
  }
  const chosen = act[event.key];
  if (!chosen) return;
  event.preventDefault();
  chosen();
}

function Tabs(props: {
  tab: Tab;
  onTab: (tab: Tab) => void;
  t: Texts;
  lines: number;
}): JSX.Element {
  const { tab, onTab, t, lines } = props;
  const all: Tab[] = ["cluster", "steps", "console"];
  const move = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? 2 : 0;
    if (by === 0) return;
    const next = all[(all.indexOf(tab) + by) % 3]!;
    onTab(next);
    event.preventDefault();
    event.stopPropagation();
    (event.currentTarget as HTMLElement)
      .querySelectorAll<HTMLElement>("[role=tab]")
      [all.indexOf(next)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" onKeyDown={move}>
      {all.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === tab}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {t(`tab.${name}`)}
          {name === "console" && lines > 0 && <span class="badge">{lines}</span>}
        </button>
      ))}
    </div>
  );
}

function Cluster({ store, t }: { store: SandboxStore; t: Texts }): JSX.Element {
  const touched = store.beat.value?.object;
  return (
    <>
      <ClusterView
        objects={store.objects.value}
        touched={touched && objectId(touched)}
        onSelect={(id) => selectLastWrite(store, id)}
        texts={{
          wanted: t("wanted"),
          noNode: t("noNode"),
          empty: store.rows.value.length === 0 ? emptyText(store, t) : t("noNodes"),
          cordoned: t("cordoned"),
          notReady: t("notReady"),
          pods: (count) => t("pods", { count }),
          counts: (ready, wanted) => t("counts", { ready, wanted }),
          succeeded: (done, wanted) => t("succeeded", { done, wanted }),
        }}
      />
      <ul class="legend" aria-label={t("legend.title")}>
        {SHAPES.map((shape) => (
          <li key={shape} class={`cluster-pod ${shape}`}>
            <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
              <path d="M10 2 17 6V14L10 18 3 14V6z" class="edge" />
              <path d={shapePath(shape)} class="fill" />
            </svg>
            <span>{t(`legend.${shape}`)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** An object was clicked: opens the newest shown step that changed it. */
function selectLastWrite(store: SandboxStore, id: string): void {
  const beats = store.beats.value;
  for (let i = Math.min(store.at.value, beats.length - 1); i >= 0; i--) {
    const { object } = beats[i]!;
    if (object && objectId(object) === id) {
      store.select(i);
      return;
    }
  }
}

/** Time along the bottom: the rail, and the slider that moves through it. */
function Time({
  store,
  t,
  say,
}: {
  store: SandboxStore;
  t: Texts;
  say: (beat: Beat) => string;
}): JSX.Element {
  const { ref, length } = useLength();
  const beats = store.beats.value;
  const at = store.at.value;
  const lanes = useMemo(() => lanesOf(beats), [beats]);
  const turned = length < 560;
  const beat = beats[at];
  return (
    <div class="time">
      <div class="now">
        <output title={beat && say(beat)}>
          {beat ? shorten(say(beat)) : statusText(store, t)}
        </output>
        <label class="pulse">
          <input
            type="checkbox"
            checked={store.withPulse.value}
            onChange={(e) => (store.withPulse.value = e.currentTarget.checked)}
          />
          {t("control.pulse")}
        </label>
      </div>
      <input
        class="scrub"
        type="range"
        min="0"
        max={Math.max(0, beats.length - 1)}
        value={Math.max(0, at)}
        disabled={beats.length === 0}
        aria-label={t("control.time")}
        aria-valuetext={
          beat
            ? `${t("control.position", { at: at + 1, count: beats.length })}. ${say(beat)}`
            : statusText(store, t)
        }
        onInput={(event) => {
          store.playing.value = false;
          store.goTo(event.currentTarget.valueAsNumber);
        }}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the slider and the steps do the same by keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for pointers */}
      <div
        class={`stage ${turned ? "turned" : ""}`}
        ref={ref}
        onClick={(event) => {
          const index = beatUnder(event);
          if (index !== undefined) store.select(index);
        }}
      >
        {length > 0 && beats.length > 0 && (
          <Rail
            beats={beats}
            lanes={lanes}
            at={at}
            length={turned ? 520 : length}
            turned={turned}
            across={turned ? length : undefined}
            say={say}
          />
        )}
        {beats.length === 0 && <p class="quiet">{emptyText(store, t)}</p>}
      </div>
      <p class="status" role="status">
        {statusText(store, t)}
      </p>
    </div>
  );
}

/** What stands where a run would be shown. */
function emptyText(store: SandboxStore, t: Texts): string {
  return t(store.status.value === "failed" ? "nothing" : "empty");
}

function statusText(store: SandboxStore, t: Texts): string {
  const { result } = store;
  const time = formatClock(result.value?.atMs ?? store.atMs.value);
  const status = store.status.value;
  if (status === "done") {
    const reason = result.value?.reason;
    if (reason === "steps" || reason === "entries" || reason === "wall")
      return t("status.limit", { reason, time });
    return t("status.done", { steps: store.beats.value.length, time });
  }
  return t(`status.${status}`, { time });
}
