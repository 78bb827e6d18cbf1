/** What an API server is made of. */
import type { Kinds } from "../api/kinds/registry.ts";
import type { EtcdApi } from "../etcd/index.ts";
import type { Kernel } from "../kernel/index.ts";
import type { Audit } from "./audit.ts";
import type { UserInfo } from "./authentication/user.ts";
import type { FlowControlOptions } from "./flow-control.ts";
import type { Stage } from "./pipeline.ts";

export interface ApiServerOptions {
  readonly kernel: Kernel;
  readonly etcd: EtcdApi;
  readonly kinds: Kinds;
  /** Name in the trace. */
  readonly actor?: string;
  readonly etcdActor?: string;
  /** Static tokens and whose they are. */
  readonly tokens?: ReadonlyMap<string, UserInfo>;
  /** Range of Service addresses: `10.96.0.0/12`. */
  readonly serviceCidr?: string;
  readonly stages?: readonly Stage[];
  /** Events that each watch cache keeps for watches from the past. */
  readonly watchHistoryMax?: number;
  /** Writes after which etcd's history is compacted without waiting. */
  readonly historyWritesMax?: number;
  /** Who hears of every request, once it was answered. */
  readonly audit?: Audit;
  /** Seats and queues for requests; absent: nobody waits. */
  readonly flowControl?: FlowControlOptions;
}
