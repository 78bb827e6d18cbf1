/**
 * Lines of `kubectl describe`: indented by level, aligned at their tabs.
 * Models:     kubectl/pkg/describe/describe.go (PrefixWriter) @ v1.36
 */
import { align, DESCRIBE_TABS } from "../print/tabs.ts";

export class Writer {
  private text = "";

  /** A line at a level: two blanks each. Tabs are where columns begin. */
  line(level: number, text: string): void {
    this.text += `${"  ".repeat(level)}${text}\n`;
  }

  /** `Name:\tweb`; a field without a value is left out by the caller. */
  field(level: number, name: string, value: unknown): void {
    this.line(level, `${name}:\t${value}`);
  }

  /** `Name:\ta`, the others on lines of their own; `<none>` of none. */
  items(level: number, name: string, texts: readonly string[]): void {
    if (texts.length === 0) this.field(level, name, "<none>");
    for (const [i, text] of texts.entries())
      this.line(level, `${i === 0 ? `${name}:` : ""}\t${text}`);
  }

  toString(): string {
    return align(this.text, DESCRIBE_TABS);
  }

  /** With its tabs, as `rollout history --revision` prints it. */
  withTabs(): string {
    return this.text;
  }
}

/** Longest annotation that is shown whole. */
const ANNOTATION_MAX = 140;
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

type Map = { readonly [key: string]: string };

/** `Labels:\ta=b`, the others on lines of their own. */
export function writeLabels(w: Writer, title: string, labels: Map = {}): void {
  const keys = Object.keys(labels).toSorted();
  const texts = keys.map((key) => `${key}=${labels[key]}`);
  w.items(0, title, texts);
}

export function writeAnnotations(
  w: Writer,
  title: string,
  annotations: Map = {},
): void {
  const keys = Object.keys(annotations).filter((key) => key !== LAST_APPLIED);
  if (keys.length === 0) return w.line(0, `${title}:\t<none>`);
  for (const [i, key] of keys.toSorted().entries()) {
    const head = i === 0 ? `${title}:` : "";
    const text = annotations[key]!.replace(/\n$/, "");
    const long = text.length + key.length + 2 > ANNOTATION_MAX;
    if (!long && !text.includes("\n")) {
      w.line(0, `${head}\t${key}: ${text}`);
      continue;
    }
    w.line(0, `${head}\t${key}:`);
    for (const line of text.split("\n")) {
      const cut = ANNOTATION_MAX - 2;
      const shown = line.length > cut ? `${line.slice(0, cut)}...` : line;
      w.line(0, `\t  ${shown}`);
    }
  }
}
