/** The code editor, loaded on first focus: hand-picked parts of CodeMirror 6. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { setCoded } from "../../client/coded.ts";

export interface CodeEditor {
  readonly dom: HTMLElement;
  focus(): void;
  /** Replaces what differs; the cursor stays where it can. */
  setText(text: string): void;
  /** Puts the cursor, or a selection, at these offsets. */
  select(from: number, to: number): void;
  /** Marks a line (from 1), or none; `column` from 1. */
  mark(place: { line: number; column?: number; message: string } | null): void;
  goTo(line: number): void;
  destroy(): void;
}

export interface CodeEditorOptions {
  readonly text: string;
  readonly file: string;
  readonly label: string;
  readonly onEdit: (text: string) => void;
  readonly onRun: () => void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  {
    tag: [tags.typeName, tags.className, tags.propertyName, tags.definition(tags.propertyName)],
    color: "var(--code-name)",
  },
  { tag: tags.comment, color: "var(--code-comment)" },
]);

const theme = EditorView.theme({
  "&": {
    height: "100%",
    fontSize: "0.8125rem",
    backgroundColor: "transparent",
    color: "var(--ink)",
  },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--surface)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--api-tint) !important",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-strong)",
  },
});

export async function createEditor(options: CodeEditorOptions): Promise<CodeEditor> {
  const language = await languageOf(options.file);
  const view = new EditorView({
    state: EditorState.create({
      doc: options.text,
      extensions: [language, ...extensionsFor(options)],
    }),
  });
  const place = (line: number) =>
    view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
  return {
    dom: view.dom,
    focus: () => view.focus(),
    setText(text) {
      const changes = difference(view.state.doc.toString(), text);
      if (changes) view.dispatch({ changes });
    },
    select(anchor, head) {
      const within = (at: number) => Math.min(at, view.state.doc.length);
      const selection = { anchor: within(anchor), head: within(head) };
      view.dispatch({ selection, scrollIntoView: true });
    },
    mark(error) {
      const diagnostics: Diagnostic[] = [];
      if (error) {
        const line = place(error.line);
        const from = Math.min(line.to, line.from + Math.max(0, (error.column ?? 1) - 1));
        const { message } = error;
        const renderMessage = () => setCoded(document.createElement("span"), message);
        diagnostics.push({ from, to: line.to, severity: "error", message, renderMessage });
      }
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(number) {
      const line = place(number);
      view.dispatch({
        selection: { anchor: line.from },
        effects: EditorView.scrollIntoView(line.from, { y: "center" }),
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** What stands between the beginning and the end that both texts have; null if they are the same. */
function difference(old: string, next: string) {
  if (old === next) return null;
  const least = Math.min(old.length, next.length);
  let from = 0;
  while (from < least && old[from] === next[from]) from++;
  let end = 0;
  while (end < least - from && old.at(-1 - end) === next.at(-1 - end)) end++;
  return { from, to: old.length - end, insert: next.slice(from, next.length - end) };
}

/** Each grammar is loaded for the first file that needs it. */
async function languageOf(file: string) {
  if (!file.endsWith(".ts")) return (await import("@codemirror/lang-yaml")).yaml();
  return (await import("@codemirror/lang-javascript")).javascript({ typescript: true });
}

function extensionsFor({ label, onEdit, onRun }: CodeEditorOptions) {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    lintGutter(),
    syntaxHighlighting(colours),
    syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
    keymap.of([
      { key: "Mod-Enter", run: () => runs(onRun) },
      // Tab indents until Escape is pressed: then it leaves the editor.
      indentWithTab,
      ...defaultKeymap,
      ...historyKeymap,
    ]),
    EditorView.contentAttributes.of({
      "aria-label": label,
      spellcheck: "false",
      autocapitalize: "off",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onEdit(update.state.doc.toString());
    }),
    theme,
  ];
}

/** A key binding that always takes its key. */
function runs(action: () => void): boolean {
  action();
  return true;
}
