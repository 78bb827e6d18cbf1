/**
 * The reader's files. A plain text field until it is first focused; then the
 * code editor takes its place, with the same text at the same spot.
 */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MANIFEST, type SandboxStore } from "../store.ts";
import type { Texts } from "../texts.ts";
import type { CodeEditor, CodeEditorOptions } from "./codemirror.ts";
import { problemText } from "./problems.ts";

interface Props {
  readonly store: SandboxStore;
  readonly t: Texts;
  readonly onRun: () => void;
  /** The reader is in a file of the simulator. */
  readonly onEditing: (file: string) => void;
  /** Line of the active file to show; the number makes a new request. */
  readonly goTo: { line: number; serial: number } | null;
  /** All files of the simulator, for «more files»; loads on demand. */
  readonly moreFiles: () => Promise<readonly string[]>;
  readonly onOpen: (file: string) => void;
}

export function Editor({
  store,
  t,
  onRun,
  onEditing,
  goTo,
  moreFiles,
  onOpen,
}: Props): JSX.Element {
  const file = store.activeFile.value;
  const edited = (name: string) => store.textOf(name) !== store.originalOf(name);
  return (
    <div class="editor">
      <div class="files">
        <div
          role="tablist"
          aria-label={t("editor.addLabel")}
          onKeyDown={(event) => moveTab(event, store)}
        >
          {store.openFiles.value.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === file}
              tabIndex={name === file ? 0 : -1}
              onClick={() => (store.activeFile.value = name)}
            >
              {name === MANIFEST ? t("tab.manifest") : shortName(name, store.openFiles.value)}
              {edited(name) && (
                <span
                  class="edited"
                  role="img"
                  title={t("editor.changed")}
                  aria-label={t("editor.changed")}
                />
              )}
            </button>
          ))}
        </div>
        <FileMenu t={t} moreFiles={moreFiles} onOpen={onOpen} />
        {edited(file) && (
          <button
            type="button"
            class="undo"
            onClick={() => store.edit(file, store.originalOf(file) ?? "")}
          >
            {t("editor.original")}
          </button>
        )}
      </div>
      <CodeField
        key={file}
        store={store}
        file={file}
        t={t}
        onRun={onRun}
        onEditing={onEditing}
        goTo={goTo}
      />
    </div>
  );
}

function moveTab(event: KeyboardEvent, store: SandboxStore): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const files = store.openFiles.value;
  const next = (files.indexOf(store.activeFile.value) + by + files.length) % files.length;
  store.activeFile.value = files[next]!;
  event.preventDefault();
  event.stopPropagation();
  const tabs = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]");
  tabs[next]?.focus();
}

/** `replicaset.ts`, or with its folder if another open file is called so too. */
function shortName(file: string, all: readonly string[]): string {
  const name = file.split("/").at(-1)!;
  return all.filter((other) => other.endsWith(`/${name}`)).length > 1 ? file : name;
}

function FileMenu(props: {
  t: Texts;
  moreFiles: () => Promise<readonly string[]>;
  onOpen: (file: string) => void;
}): JSX.Element {
  const { t, moreFiles, onOpen } = props;
  const [files, setFiles] = useState<readonly string[]>([]);
  const load = () => void moreFiles().then(setFiles);
  return (
    <select
      class="more"
      aria-label={t("editor.addLabel")}
      value=""
      onFocus={load}
      onPointerDown={load}
      onChange={(event) => {
        onOpen(event.currentTarget.value);
        event.currentTarget.value = "";
      }}
    >
      <option value="">{t("editor.add")}</option>
      {files.map((file) => (
        <option key={file} value={file}>
          {file}
        </option>
      ))}
    </select>
  );
}

interface FieldProps {
  readonly store: SandboxStore;
  readonly file: string;
  readonly t: Texts;
  readonly onRun: () => void;
  readonly onEditing: Props["onEditing"];
  readonly goTo: Props["goTo"];
}

function CodeField({ store, file, t, onRun, onEditing, goTo }: FieldProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  /** Ends with the word that an input method is putting together. */
  const composed = useRef<Promise<void> | null>(null);
  const [rich, setRich] = useState(editorLoaded);
  const text = store.textOf(file);
  const label = t("editor.label", { file: file === MANIFEST ? t("tab.manifest") : file });
  const error = store.error.value;

  // Who was here before the page came to life has typed into what the server sent.
  useLayoutEffect(() => {
    const field = plain.current;
    if (!field) return;
    const { value } = field; // Empty, if nothing was typed: hydration has taken the text out.
    const sent = store.originalOf(file);
    if (value && value !== sent && store.textOf(file) === sent) store.edit(file, value);
    if (document.activeElement === field) setRich(true);
  }, []);
  // Hydration takes the text that the server put in, and sets no value.
  useLayoutEffect(() => {
    const now = store.textOf(file) ?? "";
    if (plain.current && plain.current.value !== now) plain.current.value = now;
  });
  useEffect(() => {
    if (!rich || !place.current) return;
    let live = true;
    void openEditor({
      text: store.textOf(file) ?? "",
      file,
      label,
      onEdit: (next) => store.edit(file, next),
      onRun,
    }).then(async (created) => {
      await composed.current; // Who writes Japanese is not interrupted.
      if (!live || !place.current) return created.destroy();
      const field = plain.current;
      const hadFocus = place.current.contains(document.activeElement);
      editor.current = created;
      created.setText(store.textOf(file) ?? "");
      place.current.replaceChildren(created.dom);
      if (field && hadFocus) created.select(field.selectionStart, field.selectionEnd);
      if (hadFocus) created.focus();
      markError(created, file, store, t);
      if (goTo) created.goTo(goTo.line);
    });
    return () => {
      live = false;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [rich]);
  // Effects come late: by now the reader may have typed on.
  useEffect(() => editor.current?.setText(store.textOf(file) ?? ""), [text]);
  useEffect(() => {
    if (editor.current) markError(editor.current, file, store, t);
  }, [error, store.problems.value]);
  useEffect(() => {
    if (!goTo) return;
    if (editor.current) editor.current.goTo(goTo.line);
    else setRich(true);
  }, [goTo?.serial]);

  if (text === undefined) return <p class="quiet">{t("editor.readOnly")}</p>;
  return (
    <div class="code" ref={place} onFocusIn={() => file !== MANIFEST && onEditing(file)}>
      {!(rich && editor.current) && (
        <textarea
          ref={plain}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          aria-label={label}
          value={text}
          onFocus={() => setRich(true)}
          onInput={(event) => store.edit(file, event.currentTarget.value)}
          onCompositionStart={({ currentTarget }) => {
            composed.current = new Promise((end) => {
              currentTarget.addEventListener("compositionend", () => end(), { once: true });
              currentTarget.addEventListener("blur", () => end(), { once: true });
            });
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onRun();
          }}
        />
      )}
    </div>
  );
}

/** Marks the line of the run's error, or of the first mistake in the manifest. */
function markError(editor: CodeEditor, file: string, store: SandboxStore, t: Texts): void {
  const error = store.error.value;
  const problem = store.problems.value.find(({ line }) => line > 0);
  if (error?.file === file && error.line !== undefined) {
    const message = t(`error.${error.kind}`, { message: error.message, ...error.params });
    editor.mark({ line: error.line, column: error.column, message });
  } else if (file === MANIFEST && problem) {
    editor.mark({ line: problem.line, column: problem.column, message: problemText(problem, t) });
  } else editor.mark(null);
}

let editorLoaded = false;

async function openEditor(options: CodeEditorOptions): Promise<CodeEditor> {
  const { createEditor } = await import("./codemirror.ts");
  editorLoaded = true;
  return createEditor(options);
}
