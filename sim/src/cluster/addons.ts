/**
 * What kubeadm adds to a new cluster: CoreDNS, behind the Service kube-dns.
 * Models:     cmd/kubeadm/app/phases/addons/dns/manifests.go @ v1.36
 * Leaves out: its Corefile and its role; it answers out of the API.
 */
import { Deployment } from "../api/kinds/deployment.ts";
import { Service } from "../api/kinds/service.ts";
import { isAlreadyExists } from "../api/status.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import type { Scenario } from "../scenario.ts";
import { ADMIN } from "./identities.ts";
import { operatorAddon } from "./operator.ts";
import type { ProcessOptions } from "./process.ts";
import type { Storage } from "./storage.ts";

const labels = { "k8s-app": "kube-dns" };
const IMAGE = "registry.k8s.io/coredns/coredns:v1.14.2";

const COREDNS: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "coredns", namespace: "kube-system", labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        priorityClassName: "system-cluster-critical",
        containers: [
          {
            name: "coredns",
            image: IMAGE,
            ports: [
              { name: "dns", containerPort: 53, protocol: "UDP" },
              { name: "dns-tcp", containerPort: 53, protocol: "TCP" },
            ],
            readinessProbe: { tcpSocket: { port: 53 } },
          },
        ],
      },
    },
  },
};

const KUBE_DNS: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "kube-dns", namespace: "kube-system", labels },
  spec: {
    clusterIP: "10.96.0.10",
    selector: labels,
    ports: [
      { name: "dns", port: 53, protocol: "UDP", targetPort: 53 },
      { name: "dns-tcp", port: 53, protocol: "TCP", targetPort: 53 },
    ],
  },
};

type Addon = Omit<ProcessOptions, "kernel" | "connect">;

/** What the scenario asks for besides the cluster's own parts. */
export function addonsOf(scenario: Scenario, storage?: Storage): Addon[] {
  const own: Addon[] = scenario.dns ? [DNS] : [];
  if (scenario.operator) own.push(operatorAddon());
  return [...own, ...(storage?.processes() ?? [])];
}

const DNS: Addon = {
  actor: "kubeadm",
  credentials: () => ADMIN,
  start: (contextFor) => startDnsAddon(contextFor()),
};

function startDnsAddon(context: ComponentContext): Component {
  const { kernel, actor, client } = context;
  kernel.spawn(actor, async () => {
    try {
      await client.create(Service, KUBE_DNS);
      await client.create(Deployment, COREDNS);
    } catch (error) {
      // Started again: it is all there.
      if (!isAlreadyExists(error)) throw error;
    }
  });
  return { stop() {} };
}
