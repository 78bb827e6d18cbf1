/**
 * The kubeconfig of a run: where kubectl finds the cluster, who it says it is,
 * and in which namespace it works. It lives as long as the run.
 * Models:     client-go/tools/clientcmd/api/types.go @ v1.36
 * Leaves out: extensions, auth providers, impersonation, merged files.
 */
import type { Kernel } from "../../kernel/index.ts";

export interface ClusterEntry {
  readonly server?: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "certificate-authority"?: string;
  readonly "proxy-url"?: string;
}

export interface UserEntry {
  readonly "client-certificate"?: string;
  readonly "client-key"?: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: object;
}

export interface ContextEntry {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

type Named<T> = { readonly [name: string]: T };

export interface Kubeconfig {
  readonly clusters: Named<ClusterEntry>;
  readonly users: Named<UserEntry>;
  readonly contexts: Named<ContextEntry>;
  readonly "current-context": string;
}

/** Where messages say that it lies. */
export const CONFIG_FILE = "/etc/kubernetes/admin.conf";
export const SERVER = "https://kube-apiserver:6443";
const CLUSTER = "kubernetes";
export const ADMIN_USER = "kubernetes-admin";
const CONTEXT = `${ADMIN_USER}@${CLUSTER}`;

/** As kubeadm writes it. */
const FIRST: Kubeconfig = {
  clusters: {
    [CLUSTER]: {
      "certificate-authority": "/etc/kubernetes/pki/ca.crt",
      server: SERVER,
    },
  },
  users: {
    [ADMIN_USER]: {
      "client-certificate": "/etc/kubernetes/pki/admin.crt",
      "client-key": "/etc/kubernetes/pki/admin.key",
    },
  },
  contexts: { [CONTEXT]: { cluster: CLUSTER, user: ADMIN_USER } },
  "current-context": CONTEXT,
};

/** Each run has its own. */
const configs = new WeakMap<Kernel, Kubeconfig>();

export function configOf(kernel: Kernel): Kubeconfig {
  return configs.get(kernel) ?? FIRST;
}

export function setConfig(kernel: Kernel, config: Kubeconfig): void {
  configs.set(kernel, config);
}

/** `one` with `name` added or replaced, in the order of names. */
export function withEntry<T>(one: Named<T>, name: string, entry: T): Named<T> {
  const all = Object.entries({ ...one, [name]: entry });
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export function withoutEntry<T>(one: Named<T>, name: string): Named<T> {
  return Object.fromEntries(
    Object.entries(one).filter(([key]) => key !== name),
  );
}
