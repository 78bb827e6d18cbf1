/** Each deed with those who mended it; the newest first and in full. */
import type { Input } from "@shikumi/sim";
import type { JSX } from "preact";
import type { Texts } from "../../sandbox/texts.ts";
import { colourOf } from "../rail/lanes.ts";
import type { Healing, Mend } from "./heal.ts";

interface Props {
  /** In order of time. */
  readonly healings: readonly Healing[];
  /** The newest one may still go on. */
  readonly playing?: boolean;
  /** All in full, as a page of text. */
  readonly whole?: boolean;
  readonly t: Texts;
}

/** Deeds that are listed at once. */
const SHOWN = 4;

export function Ledger({ healings, playing = false, whole = false, t }: Props): JSX.Element {
  if (healings.length === 0) return <p class="heal-empty">{t("empty")}</p>;
  const last = healings.length - 1;
  const rank = (i: number) => (whole ? "told" : i === last ? "newest" : "older");
  const items = healings.map((healing, i) => (
    <li key={i} class={`heal-deed ${rank(i)}`}>
      <h5>{doneText(healing.deed, t)}</h5>
      {commandOf(healing.deed) && <code class="command">{commandOf(healing.deed)}</code>}
      {(whole || i === last) && (
        <ol class="heal-mends">
          {healing.mends.map((mend) => (
            <MendLine key={`${mend.actor} ${mend.what}`} mend={mend} t={t} />
          ))}
        </ol>
      )}
      <p class="result" role={whole || i < last ? undefined : "status"}>
        {i === last && playing ? "" : resultText(healing, t)}
      </p>
    </li>
  ));
  return <ol class="heal-deeds">{whole ? items : items.slice(-SHOWN).reverse()}</ol>;
}

function MendLine({ mend, t }: { mend: Mend; t: Texts }): JSX.Element {
  const { actor, what, count, nodes } = mend;
  return (
    <li class="heal-mend" style={`--part: var(--${colourOf(actor)})`}>
      <time>{span(mend, t)}</time>
      <span>
        <b>{actor}</b> {t(what, { count, nodes: nodes.join(t("and")) })}
      </span>
    </li>
  );
}

/** 0.9, 7.5, 351. */
const seconds = (ms: number) => (ms / 1_000).toFixed(ms < 10_000 ? 1 : 0);

function span({ firstMs, lastMs }: Mend, t: Texts): string {
  const [from, to] = [seconds(firstMs), seconds(lastMs)];
  return from === to ? t("seconds", { s: from }) : t("range", { from, to });
}

export function doneText(deed: Input, t: Texts): string {
  if (deed.do === "stop") return t("done.kill", { node: deed.actor.replace("node/", "") });
  if (deed.do === "start") return t("done.start", { node: deed.actor.replace("node/", "") });
  if (deed.do !== "kubectl") return "";
  const value = deed.line.split("=").at(-1) ?? "";
  if (deed.line.startsWith("set image")) return t("done.image", { image: value });
  return deed.line.startsWith("scale") ? t("done.scale", { count: value }) : t("done.delete");
}

const commandOf = (deed: Input) => (deed.do === "kubectl" ? `kubectl ${deed.line}` : "");

function resultText({ wholeMs, least = 0, ready, wanted }: Healing, t: Texts): string {
  if (wholeMs !== undefined) return t("whole", { s: seconds(wholeMs), least, ready, wanted });
  if (wanted === 0) return "";
  return t(ready === wanted ? "never" : "still", { ready, wanted });
}
