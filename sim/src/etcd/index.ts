/** etcd's public names. */
export { Etcd, type EtcdOptions } from "./etcd.ts";
export { SortedMap } from "./sorted-map.ts";
export * from "./types.ts";
