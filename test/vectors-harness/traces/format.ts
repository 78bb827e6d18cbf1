/** The format controller-traces/2 as types; see FORMAT.md, section 2. */
import type { KubeObject } from "../../../sim/src/api/types.ts";

export interface HttpInput {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly bind?: Record<string, string>;
  readonly bindEach?: { as?: string } & Record<string, string>;
  readonly where?: { path: string; not: unknown };
  readonly forEach?: string | boolean;
  readonly parallel?: boolean;
  readonly retry?: { onCode: number; everyMs: number; maxTries: number };
  readonly record?: string;
}

export interface SilenceInput {
  readonly atMs: number;
  readonly node: string;
  readonly heartbeats?: boolean;
  readonly kubelet?: boolean;
  readonly lastHeartbeatAtMs?: number;
}

export type Input = HttpInput | SilenceInput;

export interface Row {
  readonly t: number;
  readonly kind?: string;
  readonly type?: string;
  readonly name?: string;
  readonly ns?: string;
  readonly event?: EventRow;
  readonly client?: string;
  readonly [field: string]: unknown;
}

export interface EventRow {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly on: string;
  readonly from?: string;
}

export interface Scenario {
  readonly dependsOn?: readonly string[];
  readonly startsAfterMs: number | null;
  readonly inputs: readonly Input[];
  readonly cleanup?: readonly Input[];
  readonly until: number;
  readonly clockAtStart?: string | { utc: string };
  readonly objects?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly rows: readonly Row[] | null;
}

export interface StandIn {
  readonly readyAfterMs: number;
  readonly removeAfterMs: number;
  readonly jobPodEndsAfterMs: number;
  readonly exitCodes: readonly {
    jobNamePrefix?: string;
    completionIndex?: number;
    exitCode: number;
  }[];
  readonly neverEnds: readonly string[];
  readonly neverReadyImages: readonly string[];
  readonly podIPs: { first: string };
  readonly hostIP: string;
}

export interface TraceFile {
  readonly cluster: {
    readonly nodes: readonly KubeObject[];
    readonly heartbeats: {
      everyMs: number;
      statusPatch: { body: unknown };
      lease?: { body: KubeObject };
    };
    readonly settleMs: number;
    readonly kubelet: StandIn;
    readonly apiServer?: { serviceClusterIPRange?: string };
    readonly controllerManager?: { flags?: string };
    readonly namespaces: readonly string[];
  };
  readonly watched: Record<string, string>;
  readonly order: readonly string[];
  readonly scenarios: Record<string, Scenario>;
}
