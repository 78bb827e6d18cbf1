/** etcd's public names. */
export { Etcd, type EtcdOptions } from "./etcd.ts";
export type { MemberClient } from "./raft/client.ts";
export { RaftCluster, type RaftClusterOptions } from "./raft/cluster.ts";
export { SortedMap } from "./sorted-map.ts";
export * from "./types.ts";
