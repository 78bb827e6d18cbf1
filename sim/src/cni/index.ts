/** What the container runtimes use of the network plugins. */
export { loadNetwork, type NetworkList } from "./conflist.ts";
export { Libcni, type RuntimeConf } from "./libcni.ts";
export { STANDARD_PLUGINS } from "./plugins/standard.ts";
export type { CniHost, CniResult, Plugin } from "./types.ts";
