/**
 * The state of one sandbox, as signals: the reader's files, the run and the
 * moment that is shown. Components read it, actions change it, the runtime
 * stands behind it. Nothing that the reader typed is ever lost but by Reset.
 */

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { ObjectReader, type ObjectSummary, type Row } from "@shikumi/sim/view";
import { type Beat, storyOf, visibleBeats } from "../figures/rail/story.ts";
import type { Lang } from "../site.ts";
import type { Verdict } from "./checker.ts";
import { type Command, commandInputs, lineOf, soundCommands, withCommand } from "./commands.ts";
import { inputsOf, type Lab } from "./lab.ts";
import { type Kept, keep, kept } from "./persist.ts";
import type { Problem, RunError, RunResult } from "./runtime/types.ts";
import type { SharedState } from "./share.ts";

export type Status = "idle" | "loading" | "running" | "done" | "stopped" | "failed";

export interface ConsoleLine {
  readonly text: string;
  /** Of the simulated clock; none for what tests print. */
  readonly atMs?: number;
  readonly level: "log" | "info" | "warn" | "error" | "debug";
}

/** A lab as the page has it: no functions, one language. */
export interface LabData extends Omit<Lab, "checks" | "task" | "title" | "caption" | "manifestJa"> {
  readonly lesson: string;
  readonly title: string;
  readonly caption: string;
  /** With it there are checks; the page loads them when they are asked for. */
  readonly task?: string;
  /** Files that begin otherwise than in the simulator: the lesson's `start/<lab>/`. */
  readonly start?: Readonly<Record<string, string>>;
}

export const MANIFEST = "manifest.yaml";
export const SPEEDS = [0.5, 1, 2, 4, 8] as const;

export class SandboxStore {
  readonly lab: LabData;
  readonly lang: Lang;
  readonly manifest: Signal<string>;
  readonly seed: Signal<number>;
  /** Edited files by path; an unedited one is not here. */
  readonly edits: Signal<Readonly<Record<string, string>>> = signal({});
  /** The reader's own edits while the lab's solution is shown, else null. */
  readonly own: Signal<Readonly<Record<string, string>> | null> = signal(null);
  readonly originals: Signal<Readonly<Record<string, string>>>;
  readonly openFiles: Signal<readonly string[]>;
  readonly activeFile: Signal<string>;
  /** kubectl commands that the reader added, in order of time. */
  readonly commands: Signal<readonly Command[]> = signal([]);
  /** Commands added since the page was opened, the newest last. */
  readonly asked: Signal<readonly Command[]> = signal([]);
  readonly status: Signal<Status> = signal("idle");
  readonly atMs = signal(0);
  readonly result: Signal<RunResult | null> = signal(null);
  readonly error: Signal<RunError | null> = signal(null);
  /** Mistakes that the run found in the manifest. */
  readonly problems: Signal<readonly Problem[]> = signal([]);
  readonly verdicts: Signal<readonly Verdict[]> = signal([]);
  readonly checking = signal(false);
  readonly console: Signal<readonly ConsoleLine[]> = signal([]);
  readonly rows: Signal<readonly Row[]> = signal([]);
  readonly withPulse = signal(false);
  readonly at = signal(-1);
  readonly playing = signal(false);
  readonly speed: Signal<number> = signal(2);
  readonly selected: Signal<number | null> = signal(null);
  readonly story: ReadonlySignal<readonly Beat[]>;
  readonly beats: ReadonlySignal<readonly Beat[]>;
  readonly beat: ReadonlySignal<Beat | undefined>;
  readonly objects: ReadonlySignal<ReadonlyMap<string, ObjectSummary>>;
  private wantedAt: number | undefined;
  /** Moment to show when the run is over, in ms. */
  private wantedMs: number | undefined;

  constructor(lab: LabData, lang: Lang, originals: Readonly<Record<string, string>>) {
    this.lab = lab;
    this.lang = lang;
    this.manifest = signal(lab.manifest);
    this.seed = signal(lab.seed);
    this.originals = signal(originals);
    this.edits.value = lab.start ?? {};
    this.openFiles = signal([MANIFEST, ...lab.files]);
    this.activeFile = signal(lab.files.length > 0 ? lab.files[0]! : MANIFEST);
    this.story = computed(() => storyOf(this.rows.value));
    this.beats = computed(() => visibleBeats(this.story.value, this.withPulse.value));
    this.beat = computed(() => this.beats.value[this.at.value]);
    const reader = new ObjectReader();
    this.objects = computed(() => reader.objectsAt(this.rows.value, this.lastEntryShown()));
    this.restore(kept(this.keptAs));
  }

  private get keptAs(): string {
    return `${this.lab.lesson}/${this.lab.id}`;
  }

  /** Id of the newest trace entry at the shown moment. */
  private lastEntryShown(): number {
    const beats = this.beats.value;
    const at = this.at.value;
    if (at < 0) return beats.length === 0 ? Number.MAX_SAFE_INTEGER : beats[0]!.id - 1;
    const next = beats[at + 1];
    return next ? next.id - 1 : Number.MAX_SAFE_INTEGER;
  }

  restore(state: Partial<SharedState> & Kept): void {
    batch(() => {
      this.own.value = state.own ?? null;
      if (state.seed !== undefined) this.seed.value = state.seed;
      if (state.manifest !== undefined) this.manifest.value = state.manifest;
      if (state.commands) this.commands.value = soundCommands(state.commands);
      if (state.files) {
        this.edits.value = state.files;
        const known = new Set(this.openFiles.value);
        const more = Object.keys(state.files).filter((file) => !known.has(file));
        this.openFiles.value = [...this.openFiles.value, ...more];
      }
      this.wantedAt = state.at;
    });
  }

  /** What a link or the storage must hold to come back to this. */
  state(): SharedState {
    const { lab } = this;
    return {
      lab: lab.id,
      seed: this.seed.value,
      at: this.at.value >= 0 ? this.at.value : undefined,
      manifest: this.manifest.value === lab.manifest ? undefined : this.manifest.value,
      files: this.isEdited ? this.edits.value : undefined,
      commands: this.commands.value.length > 0 ? this.commands.value : undefined,
    };
  }

  get isEdited(): boolean {
    const { start = {} } = this.lab;
    const edits = this.edits.value;
    return Object.keys({ ...start, ...edits }).some((file) => edits[file] !== start[file]);
  }

  /** Text of a file as it stands now. */
  textOf(file: string): string | undefined {
    if (file === MANIFEST) return this.manifest.value;
    return this.edits.value[file] ?? this.originals.value[file];
  }

  originalOf(file: string): string | undefined {
    if (file === MANIFEST) return this.lab.manifest;
    return this.lab.start?.[file] ?? this.originals.value[file];
  }

  /** The reader typed. */
  edit(file: string, text: string): void {
    if (file === MANIFEST) this.manifest.value = text;
    else if (text === this.originals.value[file]) {
      const { [file]: _, ...rest } = this.edits.value;
      this.edits.value = rest;
    } else this.edits.value = { ...this.edits.value, [file]: text };
    this.save();
  }

  setSeed(seed: number): void {
    this.seed.value = seed;
    this.save();
  }

  openFile(file: string, original: string): void {
    batch(() => {
      this.originals.value = { ...this.originals.value, [file]: original };
      if (!this.openFiles.value.includes(file))
        this.openFiles.value = [...this.openFiles.value, file];
      this.activeFile.value = file;
    });
  }

  /** Shows the lab's solution, maybe with a manifest, in place of the reader's edits, which are kept. */
  showSolution({ [MANIFEST]: manifest, ...files }: Readonly<Record<string, string>>): void {
    batch(() => {
      this.own.value = { ...this.edits.value, [MANIFEST]: this.manifest.value };
      this.edits.value = files;
      this.manifest.value = manifest ?? this.manifest.value;
      const more = Object.keys(files).filter((file) => !this.openFiles.value.includes(file));
      this.openFiles.value = [...this.openFiles.value, ...more];
      this.activeFile.value = Object.keys(files)[0] ?? MANIFEST;
      this.verdicts.value = [];
    });
    this.save();
  }

  /** Back from the solution to what the reader had. */
  showOwn(): void {
    const { [MANIFEST]: manifest, ...edits } = this.own.value ?? {};
    batch(() => {
      this.edits.value = edits;
      this.manifest.value = manifest ?? this.manifest.value;
      this.own.value = null;
      this.verdicts.value = [];
    });
    this.save();
  }

  /** Back to the originals; the only way that an edit is thrown away. */
  reset(): void {
    batch(() => {
      this.edits.value = this.lab.start ?? {};
      this.own.value = null;
      this.manifest.value = this.lab.manifest;
      this.seed.value = this.lab.seed;
      this.commands.value = [];
      this.clearRun();
      this.verdicts.value = [];
      this.status.value = "idle";
    });
    keep(this.keptAs, {});
  }

  private save(): void {
    const { manifest, files, seed, commands } = this.state();
    keep(this.keptAs, {
      manifest,
      files,
      commands,
      seed: seed === this.lab.seed ? undefined : seed,
      own: this.own.value ?? undefined,
    });
  }

  /** Of the lab and its manifest alone: what checks judge. */
  labInputs() {
    return inputsOf(this.lab, this.manifest.value);
  }

  inputs() {
    return [...this.labInputs(), ...commandInputs(this.commands.value)];
  }

  /** Just after what is shown, in ms; at the last step, when the run ended. */
  get momentMs(): number {
    const beats = this.beats.value;
    const isLast = this.at.value >= beats.length - 1;
    const beat = this.beat.value;
    // One question after the other: the next comes when kubectl has its answer.
    const shownMs = (beat?.from === "kubectl" && beat.endMs) || (beat?.atMs ?? 0);
    const atMs = isLast ? Math.max(shownMs, this.result.value?.atMs ?? 0) : shownMs;
    return Math.ceil(atMs * 1000 + 1) / 1000;
  }

  /** Adds a command at the shown moment; false if there is nothing to do. */
  addCommand(typed: string): boolean {
    const command = { atMs: this.momentMs, line: lineOf(typed) };
    const commands = withCommand(this.commands.value, command);
    if (command.line === "" || commands === this.commands.value) return false;
    this.wantedMs = command.atMs;
    this.asked.value = [...this.asked.value, command];
    this.commands.value = commands;
    this.save();
    return true;
  }

  takeBack(command: Command): void {
    this.wantedMs = command.atMs;
    this.commands.value = this.commands.value.filter((one) => one !== command);
    this.save();
  }

  clearRun(): void {
    batch(() => {
      this.rows.value = [];
      this.console.value = [];
      this.error.value = null;
      this.problems.value = [];
      this.result.value = null;
      this.selected.value = null;
      this.at.value = -1;
      this.atMs.value = 0;
      this.playing.value = false;
    });
  }

  /** The run is over: shows the shared moment, or begins to play. */
  showFromStart(still: boolean): void {
    const last = this.beats.value.length - 1;
    const wanted = this.wantedAt;
    const { wantedMs } = this;
    this.wantedAt = undefined;
    this.wantedMs = undefined;
    if (wanted !== undefined) this.goTo(wanted);
    else if (wantedMs !== undefined) {
      this.goTo(this.answerTo(wantedMs));
    } else if (still) this.goTo(last);
    else {
      this.goTo(0);
      this.playing.value = last > 0;
    }
  }

  /** Index of the last step of the command of this moment; of the moment, if there is none. */
  private answerTo(ms: number): number {
    const beats = this.beats.value;
    const asked = beats.findLastIndex(({ atMs }) => atMs <= ms);
    const ids = new Set([beats[asked]?.id]);
    let last = asked;
    for (const [i, { id, from, causeId }] of beats.entries()) {
      if (from !== "kubectl" || !ids.has(causeId)) continue;
      ids.add(id);
      last = i;
    }
    return last;
  }

  goTo(index: number): void {
    this.at.value = Math.max(-1, Math.min(index, this.beats.value.length - 1));
  }

  step(by: number): void {
    this.playing.value = false;
    this.goTo(this.at.value + by);
  }

  /** Shows a beat and its detail. */
  select(index: number): void {
    this.playing.value = false;
    this.goTo(index);
    this.selected.value = this.beats.value[index]?.id ?? null;
  }

  /** Opens the beat that holds a trace entry. */
  selectEntry(id: number): void {
    const index = this.beats.value.findIndex((beat) => beat.ids.includes(id));
    if (index >= 0) this.select(index);
  }
}
