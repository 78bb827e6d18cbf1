/**
 * Compares recorded with played rows, as FORMAT.md asks: masked, each object
 * for itself. A sequence of states may be thinner or thicker where two status
 * writes became one; what the object is told to be must agree step by step.
 */
import { isDeepStrictEqual } from "node:util";
import { withoutEmpty } from "../harness.ts";
import type { Row, Scenario } from "./format.ts";

/** Why a kind of a scenario does not agree; none if it does. */
export type Mismatch = { expected: unknown; actual: unknown } | undefined;

const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const UID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const POD_SUFFIX = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|[" :,)])/g;
const POD_IP = /\b10\.244\.0\.\d+\b/g;
const COMBINED = /^\(combined from similar events\): /;
const CRON_JOB = /\b(\w+)-\d{8}\b/g;
const MASKED_FIELDS = new Set([
  ...["rv", "node", "podCIDR", "lastHeartbeatTime", "timeAdded"],
  ...["topology.kubernetes.io/zone", "resourceVersion"],
]);

/** Fields that say what an object is told to be, not how far it is. */
const STEPS = ["spec", "generation", "paused", "deleting", "finalizers", "phase", "revision"];

function maskText(text: string): string {
  return text
    .replace(UID, "UID")
    .replace(TIME, "TIME")
    .replace(POD_SUFFIX, "-xxxxx")
    .replace(POD_IP, "IP")
    .replace(CRON_JOB, "$1-MINUTES");
}

function mask(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value !== "object" || value === null) return value;
  const masked: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    if (!MASKED_FIELDS.has(key)) masked[key] = mask(child);
  }
  return masked;
}

/** Kinds that occur in the recording, besides Events. */
export function kindsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(kindOf))];
}

/** What the recorder's own requests are called differs from session to session. */
function kindOf({ kind, event }: Row): string {
  return kind ?? (event ? "events" : "client");
}

/** Rows with t <= until of objects that the scenario is about. */
export function belonging(rows: readonly Row[], scenario: Scenario): Row[] {
  const { objects = [], namespaces = [], until } = scenario;
  const isOurs = (name: string) =>
    objects.some((object) => name === object || name.startsWith(`${object}-`));
  return rows.filter((row) => {
    if (row.t > until) return false;
    if (row.client) return true;
    if (row.event) return isOurs(row.event.on.split("/")[1] ?? "");
    return isOurs(row.name ?? "") || (!!row.ns && namespaces.includes(row.ns));
  });
}

export function compareKind(
  kind: string,
  recorded: readonly Row[],
  played: readonly Row[],
): Mismatch {
  const of = (rows: readonly Row[]) => rows.filter((row) => kindOf(row) === kind);
  if (kind === "client") return compareAnswers(of(recorded), of(played));
  if (kind === "events") return compareSets(of(recorded).map(eventText), of(played).map(eventText));
  const shared = fieldsOf(of(recorded));
  const targets = of(recorded).some(({ endpoints }) =>
    JSON.stringify(endpoints)?.includes("target"),
  );
  const left = histories(of(recorded), shared);
  const right = histories(of(played).map(targets ? (row) => row : withoutTargets), shared);
  return compareHistories(left, right);
}

function eventText({ event }: Row): string {
  const { type, reason, on, from, message = "" } = event!;
  const text = maskText(message.replace(COMBINED, "")).replace(/(?<= to )n\d+$/, "NODE");
  return `${type} ${reason} ${maskText(on)} ${from}: ${text}`;
}

/** How often a refused request was sent again is a matter of milliseconds. */
function compareAnswers(recorded: readonly Row[], played: readonly Row[]): Mismatch {
  const texts = (rows: readonly Row[]) => {
    const granted = rows.filter(({ code }) => Number(code) < 400).length;
    return [`${granted} granted`, ...rows.map(answerText)];
  };
  return compareSets(texts(recorded), texts(played));
}

function answerText({ pod, code, message, causes }: Row): string {
  return maskText(JSON.stringify(withoutEmpty({ pod, code, message, causes })));
}

function compareSets(expected: readonly string[], actual: readonly string[]): Mismatch {
  const [a, b] = [new Set(expected), new Set(actual)];
  const missing = [...a].filter((text) => !b.has(text));
  const extra = [...b].filter((text) => !a.has(text));
  return missing.length + extra.length ? { expected: missing, actual: extra } : undefined;
}

/** A field that the session did not record for this kind is not compared. */
function fieldsOf(rows: readonly Row[]): Set<string> {
  return new Set(rows.flatMap((row) => Object.keys(row)));
}

/** The first session did not record whose an endpoint is. */
function withoutTargets(row: Row): Row {
  if (!Array.isArray(row.endpoints)) return row;
  return { ...row, endpoints: row.endpoints.map(({ target: _, ...endpoint }) => endpoint) };
}

interface State {
  readonly t: number;
  /** The object was there before the scenario: its first change is no step. */
  readonly isOld: boolean;
  readonly isGone: boolean;
  readonly state: unknown;
  readonly steps: unknown;
}

/** The distinct states of each object, by its masked name. */
function histories(rows: readonly Row[], shared: Set<string>): Map<string, State[][]> {
  const byName = new Map<string, State[]>();
  const byStem = new Map<string, State[][]>();
  for (const row of rows) {
    const key = `${row.ns ?? ""}/${row.name}`;
    let history = byName.get(key);
    if (!history) {
      history = [];
      byName.set(key, history);
      const stem = maskText(key);
      byStem.set(stem, [...(byStem.get(stem) ?? []), history]);
    }
    const next = stateOf(row, shared);
    if (!isDeepStrictEqual(history.at(-1)?.state, next.state)) history.push(next);
  }
  return byStem;
}

function stateOf(row: Row, shared: Set<string>): State {
  const { t, kind: _, name: __, ...fields } = row;
  const kept = Object.entries(fields).filter(([key]) => shared.has(key));
  const state = withoutEmpty(mask(normal(Object.fromEntries(kept)))) as Record<string, unknown>;
  const steps = Object.fromEntries(STEPS.map((step) => [step, state[step]]));
  const isOld = row.type !== "ADDED";
  const isGone = state.type === "DELETED";
  return { t, isOld, isGone, state, steps: { isGone, ...steps } };
}

/** The two sessions write some fields in two ways. */
function normal(fields: Record<string, unknown>): Record<string, unknown> {
  const { tolerations, taints, ready, scheduled, disruption, endpoints, type, ...rest } = fields;
  const { spec } = rest;
  // The first session did not record a Job's completion mode.
  if (typeof spec === "object" && spec) rest.spec = { ...spec, mode: undefined };
  const plain = (condition: unknown) => {
    if (typeof condition !== "object" || !condition) return condition;
    const { status, reason, message } = condition as Record<string, unknown>;
    return { status, reason, message };
  };
  return {
    ...rest,
    type: type === "DELETED" ? type : undefined,
    tolerations: Array.isArray(tolerations) ? tolerations.length : tolerations,
    taints: Array.isArray(taints) ? taints.map(taintText) : taints,
    ready: typeof ready === "object" ? (ready as { status?: string } | null)?.status : ready,
    ...{ scheduled: plain(scheduled), disruption: plain(disruption) },
    endpoints: Array.isArray(endpoints)
      ? endpoints.map((e) => JSON.stringify(withoutEmpty(mask(e)))).toSorted()
      : endpoints,
  };
}

function taintText(taint: unknown): unknown {
  if (typeof taint !== "object" || !taint) return taint;
  const { key, value, effect } = taint as Record<string, string>;
  return value ? `${key}=${value}:${effect}` : `${key}:${effect}`;
}

function compareHistories(
  recorded: Map<string, State[][]>,
  played: Map<string, State[][]>,
): Mismatch {
  for (const stem of new Set([...recorded.keys(), ...played.keys()])) {
    const left = recorded.get(stem) ?? [];
    const rest = [...(played.get(stem) ?? [])];
    for (const history of left) {
      const i = rest.findIndex((other) => agree(history, other));
      if (i < 0) return { expected: shown(stem, history), actual: rest.map((h) => shown(stem, h)) };
      rest.splice(i, 1);
    }
    if (rest.length > 0) return { expected: `no more of ${stem}`, actual: shown(stem, rest[0]!) };
  }
  return undefined;
}

function shown(stem: string, history: readonly State[]): unknown {
  return { [stem]: history.map(({ t, state }) => `${Math.round(t)} ${JSON.stringify(state)}`) };
}

/** The same states; or the same ends and the same steps between them. */
function agree(a: readonly State[], b: readonly State[]): boolean {
  const ends = a[0]?.isOld && b[0]?.isOld ? [-1] : [0, -1];
  const sameEnds = ends.every((i) => sameState(a.at(i), b.at(i)) && near(a.at(i), b.at(i)));
  if (!sameEnds) return false;
  const [left, right] = [stepsOf(a), stepsOf(b)];
  return (
    left.length === right.length &&
    left.every((one, i) => isDeepStrictEqual(one.steps, right[i]?.steps) && near(one, right[i]))
  );
}

/** The last status before a deletion may have been merged with it. */
function sameState(a: State | undefined, b: State | undefined): boolean {
  if (a?.isGone && b?.isGone) return isDeepStrictEqual(a.steps, b.steps);
  return isDeepStrictEqual(a?.state, b?.state);
}

function stepsOf(history: readonly State[]): State[] {
  return history.filter((one, i) => !isDeepStrictEqual(one.steps, history[i - 1]?.steps));
}

/** Within 25 % and 300 ms. */
function near(a: State | undefined, b: State | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.t - b.t) <= Math.max(a.t, b.t) * 0.25 + 300;
}
