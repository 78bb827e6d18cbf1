/**
 * What kubectl answered and what the reader's code printed, with the commands
 * between; and a line to ask the cluster more, at the moment that is shown.
 */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatClock } from "../../figures/rail/Rail.tsx";
import { type Command, typedIn } from "../commands.ts";
import type { Driver } from "../driver.ts";
import type { ConsoleLine, SandboxStore } from "../store.ts";
import type { Texts } from "../texts.ts";

interface Props {
  store: SandboxStore;
  driver: Driver;
  t: Texts;
}

/** Text that is set in columns scrolls sideways; sentences wrap. */
const COLUMNS = /\S {3}\S/;

/** A command before what it printed; `own` if the reader may take it back. */
interface Echo {
  readonly atMs: number;
  /** Where it was typed, if not at the reader's desk: `pod default/client`. */
  readonly place: string;
  readonly echo: string;
  readonly own?: Command;
}

export function Console({ store, driver, t }: Props): JSX.Element {
  const box = useRef<HTMLPreElement>(null);
  const lines = withEchoes(store);
  // The answer to the newest question is what the reader wants to see.
  useEffect(() => {
    const newest = store.asked.value.at(-1)?.atMs;
    const shown = box.current?.querySelector<HTMLElement>(`[data-own="${newest}"]`);
    if (box.current && shown) box.current.scrollTop = shown.offsetTop - box.current.offsetTop;
  }, [store.result.value]);
  return (
    <div class="console-box">
      {lines.length === 0 ? (
        <p class="quiet">{t("consoleEmpty")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre class="console" tabIndex={0} ref={box}>
          {lines.map((line, i) =>
            "echo" in line ? (
              <EchoLine key={i} line={line} store={store} driver={driver} t={t} />
            ) : (
              <span key={i} class={`${line.level} ${COLUMNS.test(line.text) ? "columns" : ""}`}>
                {COLUMNS.test(line.text) ? `${line.text}\n` : hanging(line.text)}
              </span>
            ),
          )}
        </pre>
      )}
      <Ask store={store} driver={driver} t={t} />
    </div>
  );
}

/** What wraps of a line that begins with blanks stays under it. */
function hanging(text: string): (string | JSX.Element)[] {
  return text.split("\n").map((line, i) => {
    const blanks = line.length - line.trimStart().length;
    if (blanks === 0) return `${line}\n`;
    return (
      <span key={i} class="hang" style={`--blanks: ${blanks}`}>
        {`${line}\n`}
      </span>
    );
  });
}

/** The lines of the run, and before them the commands that they answer. */
function withEchoes({ rows, commands, console }: SandboxStore): (ConsoleLine | Echo)[] {
  const echoes: Echo[] = rows.value
    .filter(({ verb }) => verb === "input")
    .flatMap(({ atMs, subject }) => {
      const typed = typedIn(subject);
      const own = commands.value.find(
        (one) => one.atMs === atMs && subject === `kubectl ${one.line}`,
      );
      return typed ? [{ atMs, ...typed, own }] : [];
    });
  const timeOf = ({ atMs }: ConsoleLine | Echo) => atMs ?? Number.MAX_VALUE;
  return [...echoes, ...console.value].sort((a, b) => timeOf(a) - timeOf(b));
}

function EchoLine({ line, store, driver, t }: Props & { line: Echo }): JSX.Element {
  const { atMs, place, echo, own } = line;
  const takeBack = () => {
    if (!own) return;
    store.takeBack(own);
    void driver.run();
  };
  return (
    <span class="echo" data-own={own && String(atMs)}>
      <time>{formatClock(atMs)}</time> {place && `${place} `}$ {echo}
      {own && (
        <button
          type="button"
          class="take-back"
          onClick={takeBack}
          aria-label={t("ask.takeBackThis", { line: echo })}
        >
          {t("ask.takeBack")}
        </button>
      )}
      {"\n"}
    </span>
  );
}

function Ask({ store, driver, t }: Props): JSX.Element {
  const [typed, setTyped] = useState("");
  /** Counts back from the newest command; 0 is what is being typed. */
  const [back, setBack] = useState(0);
  const time = formatClock(store.momentMs);
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed.trim() === "" || store.status.value === "running") return;
    setTyped("");
    setBack(0);
    void driver.ask(typed);
  };
  const recall = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const known = store.asked.value;
    const next = back + by;
    if (by === 0 || next < 0 || next > known.length) return;
    event.preventDefault();
    setBack(next);
    setTyped(known[known.length - next]?.line ?? "");
  };
  return (
    <form class="ask" onSubmit={submit}>
      <label>
        <span class="word">kubectl</span>
        <input
          type="text"
          value={typed}
          placeholder="get pods -o wide"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={1000}
          aria-label={t("ask.label", { time })}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={recall}
        />
      </label>
      <button type="submit">
        {store.rows.value.length > 0 ? t("ask.at", { time }) : t("ask.ask")}
      </button>
      {store.lab.task && store.commands.value.length > 0 && <p>{t("ask.notChecked")}</p>}
    </form>
  );
}
