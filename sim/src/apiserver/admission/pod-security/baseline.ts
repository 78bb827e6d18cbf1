/**
 * The level baseline: what a Pod cannot use to get out of its container.
 * Models: k8s.io/pod-security-admission/policy/check_*.go @ v1.36
 */
import { at, list, str, strings } from "../../../api/kinds/access.ts";
import type { Check } from "./evaluate.ts";
import {
  hostNamespaces,
  hostPaths,
  hostPorts,
  hostProcess,
  probeHosts,
} from "./host.ts";
import { appArmor, seccomp, seLinux } from "./profiles.ts";
import {
  containersText,
  namesWhere,
  quoted,
  type Subject,
  sorted,
} from "./words.ts";

/** In the order of their names, as they are reported. */
export const BASELINE: readonly Check[] = [
  { id: "appArmorProfile", find: appArmor },
  { id: "capabilities_baseline", find: capabilities },
  { id: "hostNamespaces", find: hostNamespaces },
  { id: "hostPathVolumes", find: hostPaths },
  { id: "hostPorts", find: hostPorts },
  { id: "hostProbesAndHostLifecycle", since: 34, find: probeHosts },
  { id: "privileged", find: privileged },
  { id: "procMount", find: procMounts },
  { id: "seLinuxOptions", find: seLinux },
  { id: "seccompProfile_baseline", since: 19, find: seccomp },
  { id: "sysctls", find: sysctls },
  { id: "windowsHostProcess", find: hostProcess },
];

const CAPABILITIES =
  /^(AUDIT_WRITE|CHOWN|DAC_OVERRIDE|FOWNER|FSETID|KILL|MKNOD|NET_BIND_SERVICE|SETFCAP|SETGID|SETPCAP|SETUID|SYS_CHROOT)$/;

function capabilities(subject: Subject) {
  const found: string[] = [];
  const names = namesWhere(subject, (context) => {
    const added = strings(at(context, "capabilities", "add"));
    const bad = added.filter((one) => !CAPABILITIES.test(one));
    found.push(...bad);
    return bad.length > 0;
  });
  if (names.length === 0) return undefined;
  const detail = `${containersText(names)} must not include ${quoted(sorted(found))} in securityContext.capabilities.add`;
  return { reason: "non-default capabilities", detail };
}

function privileged(subject: Subject) {
  const names = namesWhere(subject, (context) => context.privileged === true);
  if (names.length === 0) return undefined;
  const what = "must not set securityContext.privileged=true";
  return { reason: "privileged", detail: `${containersText(names)} ${what}` };
}

function procMounts(subject: Subject) {
  const found: string[] = [];
  const names = namesWhere(subject, ({ procMount }) => {
    const bad = str(procMount) !== "" && procMount !== "Default";
    if (bad) found.push(str(procMount));
    return bad;
  });
  if (names.length === 0) return undefined;
  const what = `must not set securityContext.procMount to ${quoted(sorted(found))}`;
  return { reason: "procMount", detail: `${containersText(names)} ${what}` };
}

/** Minor version since which a sysctl is taken for safe. */
const SYSCTLS: { readonly [name: string]: number } = {
  "kernel.shm_rmid_forced": 0,
  "net.ipv4.ip_local_port_range": 0,
  "net.ipv4.tcp_syncookies": 0,
  "net.ipv4.ping_group_range": 0,
  "net.ipv4.ip_unprivileged_port_start": 0,
  "net.ipv4.ip_local_reserved_ports": 27,
  "net.ipv4.tcp_keepalive_time": 29,
  "net.ipv4.tcp_fin_timeout": 29,
  "net.ipv4.tcp_keepalive_intvl": 29,
  "net.ipv4.tcp_keepalive_probes": 29,
  "net.ipv4.tcp_rmem": 32,
  "net.ipv4.tcp_wmem": 32,
};

function sysctls({ own }: Subject, minor: number) {
  const names = list(own.sysctls).map(({ name }) => str(name));
  const bad = names.filter((name) => {
    const since = SYSCTLS[name];
    return since === undefined || since > minor;
  });
  if (bad.length === 0) return undefined;
  return { reason: "forbidden sysctls", detail: bad.join(", ") };
}
