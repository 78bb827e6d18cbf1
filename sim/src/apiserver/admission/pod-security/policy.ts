/**
 * What a namespace's labels ask of its Pods: a level to enforce, one to warn
 * about and one to note in the audit log, each of some version.
 * Models: PolicyToEvaluate of k8s.io/pod-security-admission/api/helpers.go
 *         @ v1.36, and its test's table
 */
import { type FieldError, invalid } from "../../../api/field-error.ts";

export const LEVELS = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof LEVELS)[number];

export interface LevelVersion {
  readonly level: Level;
  /** Minor version of Kubernetes whose rules hold; the newest: Infinity. */
  readonly minor: number;
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  /** Labels that cannot be read. */
  readonly errors: readonly FieldError[];
}

type Labels = Readonly<Record<string, string>>;

/** Begins the labels, and the annotations of the audit log. */
export const PREFIX = "pod-security.kubernetes.io/";
const LATEST = Number.POSITIVE_INFINITY;
const NOTHING: LevelVersion = { level: "privileged", minor: LATEST };

/** `restricted:latest`, `baseline:v1.30` */
export function policyText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? "latest" : `v1.${minor}`}`;
}

/** Below 0: `a` is less strict than `b`. */
export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

/** A level that cannot be read is enforced as the strictest, else ignored. */
export function policyOf(labels: Labels | undefined): Policy {
  const errors: FieldError[] = [];
  const enforce = read(labels, "enforce", "restricted", errors);
  const audit = read(labels, "audit", "privileged", errors);
  const warn = read(labels, "warn", "privileged", errors);
  return { enforce, audit, warn: warnOf(labels, enforce, warn), errors };
}

/** Who enforces a level is warned about it, unless they say otherwise. */
function warnOf(
  labels: Labels = {},
  enforce: LevelVersion,
  warn: LevelVersion,
): LevelVersion {
  const isReadable = labels[`${PREFIX}enforce`] === enforce.level;
  if (!isReadable || labels[`${PREFIX}warn`] !== undefined) return warn;
  const { level } = enforce;
  return labels[`${PREFIX}warn-version`] ? { ...warn, level } : enforce;
}

function read(
  labels: Labels | undefined,
  mode: string,
  ifUnreadable: Level,
  errors: FieldError[],
): LevelVersion {
  let { level, minor } = NOTHING;
  const asked = labels?.[PREFIX + mode];
  const refuse = (label: string, value: string, why: string) =>
    errors.push(invalid(`metadata.labels[${label}]`, value, why));
  if (asked !== undefined) {
    const known = LEVELS.find((one) => one === asked);
    level = known ?? ifUnreadable;
    const why = `must be one of ${LEVELS.join(", ")}`;
    if (!known) refuse(PREFIX + mode, asked, why);
  }
  const label = `${PREFIX}${mode}-version`;
  const version = labels?.[label];
  if (version !== undefined) {
    const [, digits] = /^v1\.(0|[1-9]\d*)$/.exec(version) ?? [];
    minor = digits === undefined ? LATEST : Number(digits);
    if (digits === undefined && version !== "latest") {
      refuse(label, version, 'must be "latest" or "v1.x"');
    }
  }
  return { level, minor };
}
