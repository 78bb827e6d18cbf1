/**
 * Takes a process's output apart: the protocol's lines begin with a prefix
 * that was drawn for this run; an echo of our requests is dropped; the rest
 * was printed by something else.
 */
export interface LineHandlers {
  onText(text: string): void;
  onPrinted(text: string): void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out.
const CONTROL = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

export class LineReader {
  private readonly prefix: string;
  private readonly lengthMax: number;
  private readonly handlers: LineHandlers;
  private rest = "";

  constructor(prefix: string, lengthMax: number, handlers: LineHandlers) {
    this.prefix = prefix;
    this.lengthMax = lengthMax;
    this.handlers = handlers;
  }

  push(chunk: string): void {
    const lines = (this.rest + chunk).split("\n");
    this.rest = lines.pop()!;
    for (const line of lines) this.line(line);
    if (this.rest.length <= this.lengthMax) return;
    this.line(this.rest);
    this.rest = "";
  }

  /** The output is over: what is left is a line too. */
  end(): void {
    if (this.rest) this.line(this.rest);
    this.rest = "";
  }

  private line(raw: string): void {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line.startsWith(requestPrefix(this.prefix))) return;
    if (line.startsWith(this.prefix)) this.handlers.onText(line.slice(this.prefix.length));
    else if (line.trim()) this.handlers.onPrinted(line.replace(CONTROL, ""));
  }
}

/** Before a request on the standard input; no message begins like it. */
export function requestPrefix(prefix: string): string {
  return `${prefix}>`;
}

/** A prefix that the reader's code cannot guess. */
export function drawPrefix(): string {
  return `${crypto.randomUUID().replaceAll("-", "")}:`;
}
