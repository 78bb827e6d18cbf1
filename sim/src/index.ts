/** The public API of the simulator: what pages, command line and tests use. */
export type { WriteDetail } from "./api/transport.ts";
export type { KubeList, KubeObject, Status, WatchEvent } from "./api/types.ts";
export { ADMIN } from "./cluster/identities.ts";
export type { ConnectResult } from "./cluster/traffic/connect.ts";
export type { PacketDetail } from "./cluster/traffic/exchange.ts";
export type { Cluster, ClusterOptions } from "./cluster.ts";
export { createCluster } from "./cluster.ts";
export * from "./kernel/index.ts";
export type { Problem } from "./kubectl/problem.ts";
export type {
  ApplyInput,
  ConnectInput,
  CrictlInput,
  FaultInput,
  Input,
  KubectlInput,
  LatencyModel,
  NodeOption,
  PartitionInput,
  Scenario,
  SlowInput,
} from "./scenario.ts";
export { DEFAULT_LATENCY } from "./scenario.ts";
export type {
  EndReason,
  OutputLine,
  Session,
  SessionOptions,
  SessionRunOptions,
} from "./session.ts";
export { createSession, splitLine } from "./session.ts";
export { objectId, objectsAt, type Row, rowOf } from "./view/rows.ts";
export { type ObjectSummary, summaryOf } from "./view/summary.ts";
