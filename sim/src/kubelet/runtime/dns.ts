/**
 * What stands in a Pod's resolv.conf.
 * Models: pkg/kubelet/network/dns/dns.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { DnsConfig } from "../../cri/api.ts";
import type { ConfigSource } from "./context.ts";

/** Shared by all Pods of a namespace. */
const known = new WeakMap<ConfigSource, Map<string, DnsConfig>>();

export function dnsConfig(source: ConfigSource, pod: Pod): DnsConfig {
  const { dnsPolicy = "ClusterFirst", dnsConfig: own, hostNetwork } = pod.spec;
  const cluster =
    dnsPolicy === "ClusterFirstWithHostNet" ||
    (dnsPolicy === "ClusterFirst" && !hostNetwork);
  const base = cluster
    ? clusterFirst(source, pod.metadata.namespace ?? "")
    : dnsPolicy === "None"
      ? {}
      : OF_NODE;
  if (!own) return base;
  const options = own.options?.map(({ name = "", value }) =>
    value === undefined ? name : `${name}:${value}`,
  );
  return {
    servers: joined(base.servers, own.nameservers),
    searches: joined(base.searches, own.searches),
    options: joined(base.options, options),
  };
}

const OF_NODE: DnsConfig = Object.freeze({ servers: ["192.168.0.1"] });

function clusterFirst(source: ConfigSource, namespace: string): DnsConfig {
  let byNamespace = known.get(source);
  if (!byNamespace) known.set(source, (byNamespace = new Map()));
  let config = byNamespace.get(namespace);
  if (!config) {
    const { clusterDomain: domain, clusterDns: servers } = source;
    const searches = [`${namespace}.svc.${domain}`, `svc.${domain}`, domain];
    config = Object.freeze({ servers, searches, options: ["ndots:5"] });
    byNamespace.set(namespace, config);
  }
  return config;
}

function joined(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] {
  return [...new Set([...(a ?? []), ...(b ?? [])])];
}
