/**
 * Whether a Pod keeps to a level: all checks of the level, as of a version.
 * Models: k8s.io/pod-security-admission/policy/{registry,checks}.go @ v1.36
 */
import { BASELINE } from "./baseline.ts";
import type { LevelVersion } from "./policy.ts";
import { RESTRICTED } from "./restricted.ts";
import type { Subject } from "./words.ts";

export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

export interface Check {
  readonly id: string;
  /** First minor version that has it. */
  readonly since?: number;
  /** Check of baseline that is left out where this one is made. */
  readonly instead?: string;
  /** What is wrong with the Pod; undefined: nothing. */
  find(subject: Subject, minor: number): Finding | undefined;
}

/** What is wrong, those of baseline first; empty if the Pod may run. */
export function findings(subject: Subject, asked: LevelVersion): Finding[] {
  const { level, minor } = asked;
  const of = (checks: readonly Check[]) =>
    checks.filter(({ since = 0 }) => since <= minor);
  const more = level === "restricted" ? of(RESTRICTED) : [];
  const taken = more.map(({ instead }) => instead);
  const all = level === "privileged" ? [] : of(BASELINE);
  return [...all.filter(({ id }) => !taken.includes(id)), ...more].flatMap(
    (check) => check.find(subject, minor) ?? [],
  );
}

/** `reason (detail), …` */
export function detailsOf(found: readonly Finding[]): string {
  return found.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

export function reasonsOf(found: readonly Finding[]): string {
  return found.map(({ reason }) => reason).join(", ");
}
