/** Show changes: the reader's edits as a line diff against the originals. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { MANIFEST, type SandboxStore } from "../store.ts";
import type { Texts } from "../texts.ts";

type Lines = typeof import("diff")["diffLines"];

export function Changes({ store, t }: { store: SandboxStore; t: Texts }): JSX.Element {
  const [diffLines, setDiff] = useState<{ run: Lines } | null>(null);
  useEffect(() => {
    void import("diff").then(({ diffLines: run }) => setDiff({ run }));
  }, []);
  const changed = store.openFiles.value.filter(
    (file) => store.textOf(file) !== store.originalOf(file),
  );
  return (
    <section class="changes" aria-label={t("changes.title")}>
      <h4>{t("changes.title")}</h4>
      {changed.length === 0 && <p class="quiet">{t("changes.none")}</p>}
      {diffLines &&
        changed.map((file) => (
          <FileDiff key={file} file={file} store={store} t={t} diffLines={diffLines.run} />
        ))}
    </section>
  );
}

interface FileProps {
  readonly file: string;
  readonly store: SandboxStore;
  readonly t: Texts;
  readonly diffLines: Lines;
}

/** Unchanged lines kept on each side of a change. */
const CONTEXT = 3;

function FileDiff({ file, store, t, diffLines }: FileProps): JSX.Element {
  const parts = diffLines(store.originalOf(file) ?? "", store.textOf(file) ?? "");
  const count = (kind: "added" | "removed") =>
    parts.filter((part) => part[kind]).reduce((sum, part) => sum + (part.count ?? 0), 0);
  const name = file === MANIFEST ? t("tab.manifest") : file;
  return (
    <figure>
      <figcaption>
        {t("changes.file", { file: name, added: count("added"), removed: count("removed") })}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0}>
        {parts.map((part, i) => {
          const key = `${i}:${part.value.length}`;
          if (part.added) return <ins key={key}>{prefixed(part.value, "+")}</ins>;
          if (part.removed) return <del key={key}>{prefixed(part.value, "-")}</del>;
          return (
            <span key={key}>{prefixed(shorten(part.value, i > 0, i < parts.length - 1), " ")}</span>
          );
        })}
      </pre>
    </figure>
  );
}

function prefixed(text: string, sign: string): string {
  return text.replace(/^(?=[^\n]|\n)/gm, `${sign} `).replace(/[+\- ] $/, "");
}

/** Keeps the lines next to a change. */
function shorten(text: string, after: boolean, before: boolean): string {
  const lines = text.split("\n");
  if (lines.length <= 2 * CONTEXT + 2) return text;
  const head = after ? lines.slice(0, CONTEXT) : [];
  const tail = before ? lines.slice(-CONTEXT - 1) : [""];
  return [...head, "…", ...tail].join("\n");
}
