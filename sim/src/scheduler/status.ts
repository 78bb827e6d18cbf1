/**
 * What a plugin answers. Success is `null`: the common answer costs nothing.
 * Models: kube-scheduler/framework/interface.go (Status, Code) @ v1.36
 */
export type Code =
  /** The plugin failed; the Pod is retried after a backoff. */
  | "Error"
  /** No, but removing other Pods could help. */
  | "Unschedulable"
  /** No, and preemption cannot help either. */
  | "UnschedulableAndUnresolvable"
  /** Permit: yes, but wait. */
  | "Wait"
  /** Not concerned: the plugin is left out of the rest of this cycle. */
  | "Skip"
  /** No, until something outside tells the plugin so. */
  | "Pending";

export interface Status {
  readonly code: Code;
  /** For people; counted in the message of FailedScheduling. */
  readonly reasons: readonly string[];
  /** Plugin that answered. */
  readonly plugin: string;
}

/** Makes a status; plugins make theirs once and give it back many times. */
export function status(
  plugin: string,
  code: Code,
  ...reasons: readonly string[]
): Status {
  return Object.freeze({ plugin, code, reasons: Object.freeze(reasons) });
}

/** "This Pod does not concern me." */
export const SKIP: Status = status("", "Skip");

/** True for an answer that refuses the Pod (and is no error). */
export function isRejected({ code }: Status): boolean {
  return (
    code === "Unschedulable" ||
    code === "UnschedulableAndUnresolvable" ||
    code === "Pending"
  );
}

/** The reasons in one text. */
export function messageOf({ reasons }: Status): string {
  return reasons.join(", ");
}
