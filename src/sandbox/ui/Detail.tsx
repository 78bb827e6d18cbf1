/** One step opened: request, answer, what changed, the line that did it, why. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatClock } from "../../figures/rail/Rail.tsx";
import type { Beat } from "../../figures/rail/story.ts";
import { type FieldChange, fieldChanges } from "../diff.ts";
import type { EntryDetail, Inspector } from "../inspect.ts";
import type { Frame } from "../runtime/types.ts";
import type { SandboxStore } from "../store.ts";
import type { Texts } from "../texts.ts";
import { shorten } from "./say.ts";

interface Props {
  readonly store: SandboxStore;
  readonly t: Texts;
  readonly say: (beat: Beat) => string;
  readonly inspector: Inspector;
  readonly onOpenSource: (frame: Frame) => void;
}

export function Detail({ store, t, say, inspector, onOpenSource }: Props): JSX.Element | null {
  const id = store.selected.value;
  const beat = store.beats.value.find((candidate) => candidate.id === id);
  const [entries, setEntries] = useState<readonly EntryDetail[] | null>(null);
  const [frames, setFrames] = useState<readonly Frame[] | null>(null);
  useEffect(() => {
    let live = true;
    setEntries(null);
    setFrames(null);
    if (!beat) return;
    void inspector.entries(beat.ids).then((found) => live && setEntries(found));
    void inspector.stack(beat.id).then((found) => live && setFrames(found));
    return () => {
      live = false;
    };
  }, [beat?.id]);
  if (!beat) return null;
  return (
    <section class="detail" aria-label={t("detail.title")}>
      <header>
        <h4>{say(beat)}</h4>
        <time>{formatClock(beat.atMs)}</time>
        <button
          type="button"
          class="icon"
          aria-label={t("detail.close")}
          onClick={() => (store.selected.value = null)}
        >
          ×
        </button>
      </header>
      <Why beat={beat} store={store} t={t} say={say} />
      <SourceLine frames={frames} t={t} onOpenSource={onOpenSource} />
      {entries === null ? (
        <p class="quiet">{t("detail.loading")}</p>
      ) : (
        <Entries entries={entries} t={t} />
      )}
    </section>
  );
}

/** The chain of causes, oldest first, each a way back in time. */
function Why(props: {
  beat: Beat;
  store: SandboxStore;
  t: Texts;
  say: (beat: Beat) => string;
}): JSX.Element | null {
  const { beat, store, t, say } = props;
  const byId = new Map(store.story.value.map((other) => [other.id, other]));
  const chain: Beat[] = [];
  for (let cause = byId.get(beat.causeId); cause; cause = byId.get(cause.causeId))
    chain.unshift(cause);
  if (chain.length === 0) return null;
  return (
    <details class="why" open>
      <summary>{t("detail.why")}</summary>
      <ol>
        {chain.map((cause) => (
          <li key={cause.id}>
            <button type="button" onClick={() => store.selectEntry(cause.id)}>
              <time>{formatClock(cause.atMs)}</time>
              <span title={say(cause)}>{shorten(say(cause))}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

interface SourceProps {
  readonly frames: readonly Frame[] | null;
  readonly t: Texts;
  readonly onOpenSource: (frame: Frame) => void;
}

function SourceLine({ frames, t, onOpenSource }: SourceProps): JSX.Element | null {
  if (frames === null) return null;
  return (
    <div class="source">
      <h5>{t("detail.source")}</h5>
      {frames.length === 0 ? (
        <p class="quiet">{t("detail.sourceNone")}</p>
      ) : (
        <ol>
          {frames.map((frame) => (
            <li key={`${frame.file}:${frame.line}`}>
              <button
                type="button"
                title={t("detail.open", { file: frame.file })}
                onClick={() => onOpenSource(frame)}
              >
                <code>{`${frame.file}:${frame.line}`}</code> <code>{frame.name}</code>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Entries({ entries, t }: { entries: readonly EntryDetail[]; t: Texts }): JSX.Element {
  return (
    <>
      {entries.map((entry) => {
        if (entry.verb === "write") {
          const isNew = entry.before === undefined && entry.after !== undefined;
          return isNew ? (
            <Folded key={entry.id} title={t("detail.newObject")} value={entry.after} />
          ) : (
            <Changes
              key={entry.id}
              title={t("detail.diff")}
              changes={fieldChanges(entry.before, entry.after)}
            />
          );
        }
        const title =
          entry.verb === "request"
            ? t("detail.request")
            : entry.verb === "response"
              ? t("detail.answer")
              : entry.verb;
        return entry.detail === undefined ? null : (
          <Folded key={entry.id} title={title} value={entry.detail} />
        );
      })}
    </>
  );
}

function Folded({ title, value }: { title: string; value: unknown }): JSX.Element {
  return (
    <details>
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}

function Changes({
  title,
  changes,
}: {
  title: string;
  changes: readonly FieldChange[];
}): JSX.Element {
  return (
    <div class="fields">
      <h5>{title}</h5>
      <dl>
        {changes.map((change) => (
          <div key={change.path}>
            <dt>{change.path}</dt>
            {change.before !== undefined && (
              <dd>
                <del>{brief(change.before)}</del>
              </dd>
            )}
            {change.after !== undefined && (
              <dd>
                <ins>{brief(change.after)}</ins>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  );
}

function brief(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
