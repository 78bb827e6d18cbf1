/** The executables that a node has in /opt/cni/bin unless told otherwise. */
import type { Plugin } from "../types.ts";
import { bandwidth } from "./bandwidth.ts";
import { bridge } from "./bridge.ts";
import { calico } from "./calico.ts";
import { calicoIpam } from "./calico-ipam.ts";
import { cilium } from "./cilium.ts";
import { firewall } from "./firewall.ts";
import { flannel } from "./flannel.ts";
import { hostLocal } from "./host-local.ts";
import { loopback } from "./loopback.ts";
import { portmap } from "./portmap.ts";
import { ptp } from "./ptp.ts";
import { staticIpam } from "./static.ts";
import { tuning } from "./tuning.ts";

export const STANDARD_PLUGINS: ReadonlyMap<string, Plugin> = new Map([
  ["/opt/cni/bin/bandwidth", bandwidth],
  ["/opt/cni/bin/bridge", bridge],
  ["/opt/cni/bin/calico", calico],
  ["/opt/cni/bin/calico-ipam", calicoIpam],
  ["/opt/cni/bin/cilium-cni", cilium],
  ["/opt/cni/bin/firewall", firewall],
  ["/opt/cni/bin/flannel", flannel],
  ["/opt/cni/bin/host-local", hostLocal],
  ["/opt/cni/bin/loopback", loopback],
  ["/opt/cni/bin/portmap", portmap],
  ["/opt/cni/bin/ptp", ptp],
  ["/opt/cni/bin/static", staticIpam],
  ["/opt/cni/bin/tuning", tuning],
]);
