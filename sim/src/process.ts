/**
 * The entry `@shikumi/sim/process`: one process of a cluster by itself, over
 * a transport of your own. That is how a controller of the simulator runs
 * against a real cluster.
 */
export type {
  ApiRequest,
  ApiResponse,
  RequestVerb,
  Transport,
  WatchHandle,
  WatchHandler,
} from "./api/transport.ts";
export { ConnectionError } from "./api/transport.ts";
export type { KubeList, KubeObject, Status, WatchEvent } from "./api/types.ts";
export type { Component, ComponentContext } from "./client/component.ts";
export { ClusterProcess, type ProcessOptions } from "./cluster/process.ts";
export * from "./kernel/index.ts";
