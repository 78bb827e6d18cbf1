/**
 * A sandbox in a link: seed, moment, manifest and edits in the fragment, so
 * that whoever opens it sees exactly the same run. What comes out of a link is
 * a stranger's: its size and its shape are checked before it is used.
 */
import { type Command, soundCommands } from "./commands.ts";

export interface SharedState {
  readonly lab: string;
  readonly seed: number;
  /** Index of the shown beat. */
  readonly at?: number;
  readonly manifest?: string;
  /** Edited files by path under sim/src. */
  readonly files?: Readonly<Record<string, string>>;
  /** kubectl commands that were added to the run. */
  readonly commands?: readonly Command[];
}

/** Unpacked size that a link may have, in characters. */
const SIZE_MAX = 3_000_000;

/** `#lab=first&seed=7&step=41&edit=…`; `edit` only if there is an edit. */
export async function toFragment(state: SharedState): Promise<string> {
  const params = new URLSearchParams({ lab: state.lab, seed: String(state.seed) });
  if (state.at !== undefined) params.set("step", String(state.at));
  const { manifest, files, commands } = state;
  if (manifest !== undefined || files || commands)
    params.set("edit", await pack(JSON.stringify({ manifest, files, commands })));
  return `#${params}`;
}

/** The state in a fragment; undefined if it holds none, or none that is sound. */
export async function fromFragment(fragment: string): Promise<SharedState | undefined> {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const lab = params.get("lab");
  if (!lab) return undefined;
  const seed = wholeNumber(params.get("seed")) ?? 1;
  const state = { lab, seed, at: wholeNumber(params.get("step")) };
  const edit = params.get("edit");
  if (!edit) return state;
  try {
    return { ...state, ...checkEdit(JSON.parse(await unpack(edit))) };
  } catch {
    return state;
  }
}

function checkEdit(value: unknown): Pick<SharedState, "manifest" | "files" | "commands"> {
  const { manifest, files, commands } = Object(value) as Record<string, unknown>;
  const asked = soundCommands(commands);
  const pairs = Object.entries(Object(files) as object).filter(
    (pair): pair is [string, string] =>
      typeof pair[1] === "string" && /^[\w./-]+\.ts$/.test(pair[0]),
  );
  return {
    manifest: typeof manifest === "string" ? manifest : undefined,
    files: pairs.length > 0 ? Object.fromEntries(pairs) : undefined,
    commands: asked.length > 0 ? asked : undefined,
  };
}

function wholeNumber(text: string | null): number | undefined {
  if (text === null || !/^\d{1,9}$/.test(text)) return undefined;
  return Number(text);
}

async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Throws if the text is no packed text, or unpacks to more than the limit. */
async function unpack(text: string): Promise<string> {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let out = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return out;
    out += value;
    if (out.length > SIZE_MAX) {
      await reader.cancel();
      throw new RangeError("The link holds more than a sandbox takes.");
    }
  }
}
