/** The executables that a node has in /opt/cni/bin unless told otherwise. */
import type { Plugin } from "../types.ts";
import { bridge } from "./bridge.ts";
import { firewall } from "./firewall.ts";
import { hostLocal } from "./host-local.ts";
import { loopback } from "./loopback.ts";
import { portmap } from "./portmap.ts";

export const STANDARD_PLUGINS: ReadonlyMap<string, Plugin> = new Map([
  ["/opt/cni/bin/bridge", bridge],
  ["/opt/cni/bin/firewall", firewall],
  ["/opt/cni/bin/host-local", hostLocal],
  ["/opt/cni/bin/loopback", loopback],
  ["/opt/cni/bin/portmap", portmap],
]);
