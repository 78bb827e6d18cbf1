import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatClock } from "../../figures/rail/Rail.tsx";
import type { Beat } from "../../figures/rail/story.ts";
import type { SandboxStore } from "../store.ts";
import type { Texts } from "../texts.ts";
import { shorten } from "./say.ts";

/** Lines of the steps that are drawn at once, around the present one. */
const STEPS_SHOWN = 60;

/** The same steps as the rail, as text: a list that can be read and clicked. */
export function Steps(props: {
  store: SandboxStore;
  t: Texts;
  say: (beat: Beat) => string;
}): JSX.Element {
  const { store, t, say } = props;
  const list = useRef<HTMLOListElement>(null);
  const at = store.at.value;
  const beats = store.beats.value;
  const first = Math.max(0, Math.min(at - STEPS_SHOWN / 2, beats.length - STEPS_SHOWN));
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current;
    if (row && box) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }, [at]);
  if (beats.length === 0) return <p class="quiet">{t("noSteps")}</p>;
  return (
    <ol class="steps" ref={list} start={first + 1} aria-label={t("tab.steps")}>
      {beats.slice(first, first + STEPS_SHOWN).map((beat, i) => {
        const index = first + i;
        return (
          <li
            key={beat.id}
            aria-current={index === at ? "step" : undefined}
            class={index > at ? "later" : ""}
          >
            <button type="button" onClick={() => store.select(index)}>
              <time>{formatClock(beat.atMs)}</time>
              <span title={say(beat)}>{shorten(say(beat))}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
