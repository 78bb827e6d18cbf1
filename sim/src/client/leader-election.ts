/**
 * Leader election: of several copies of a component, the one that holds a
 * Lease works, the others wait. The holder writes `renewTime` every 2 s; who
 * has seen no renewal for 15 s by its own clock may take the Lease. The
 * conflict of two writers is settled by `resourceVersion` alone. A leader
 * that cannot renew for 10 s stops by itself, before another can begin.
 * Models:     client-go/tools/leaderelection/leaderelection.go @ v1.36
 * Leaves out: other locks than Lease; the coordinated election (alpha).
 */
import { Lease } from "../api/kinds/lease.ts";
import { isNotFound } from "../api/status.ts";
import type { Client } from "./client.ts";
import type { Component, ComponentContext } from "./component.ts";
import { describe } from "./controller.ts";

export interface ElectionOptions {
  readonly namespace?: string;
  /** Name of the Lease: `kube-controller-manager`, `kube-scheduler`. */
  readonly name: string;
  /** Who this copy is: host name and a random part. */
  readonly identity: string;
  onStartedLeading(): void;
  onStoppedLeading(): void;
}

const LEASE_SECONDS = 15;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;
/** A waiting copy tries every 2 to 4.4 s, so that copies do not clash. */
const JITTER = 1.2;

/** Takes part in the election until stopped. */
export function startLeaderElection(
  context: Pick<ComponentContext, "kernel" | "actor" | "client" | "random">,
  options: ElectionOptions,
): Component {
  const { kernel, actor, random } = context;
  const candidate = new Candidate(context, options);
  let stopped = false;
  let leading = false;

  const lose = () => {
    if (!leading) return;
    leading = false;
    options.onStoppedLeading();
  };
  /** Returns once the Lease is ours. */
  const acquire = async () => {
    while (!stopped && !(await candidate.tryToHold())) {
      await kernel.sleep(RETRY_MS * (1 + random.float() * JITTER));
    }
  };
  /** Returns once the Lease could not be renewed for 10 s. */
  const renew = async () => {
    let renewedAtMs = kernel.now();
    while (!stopped) {
      await kernel.sleep(RETRY_MS);
      if (stopped) return;
      if (await candidate.tryToHold()) renewedAtMs = kernel.now();
      else if (kernel.now() - renewedAtMs >= RENEW_DEADLINE_MS) return;
    }
  };
  kernel.spawn(actor, async () => {
    while (!stopped) {
      await acquire();
      if (stopped) return;
      leading = true;
      options.onStartedLeading();
      await renew();
      lose();
    }
  });
  return {
    stop() {
      stopped = true;
      lose();
    },
  };
}

class Candidate {
  private readonly context: Pick<
    ComponentContext,
    "kernel" | "actor" | "client"
  >;
  private readonly client: Client;
  private readonly options: ElectionOptions;
  /** The Lease as last seen, and when it was first seen so. */
  private seen: Lease | undefined;
  private seenAtMs = 0;

  constructor(
    context: Pick<ComponentContext, "kernel" | "actor" | "client">,
    options: ElectionOptions,
  ) {
    this.context = context;
    this.client = context.client;
    this.options = options;
  }

  /** Creates, takes or renews the Lease. False if another holds it. */
  async tryToHold(): Promise<boolean> {
    try {
      await this.hold();
      return this.seen?.spec?.holderIdentity === this.options.identity;
    } catch (error) {
      const { kernel, actor } = this.context;
      kernel.record(actor, "error", "lease", "", describe(error));
      return false;
    }
  }

  private async hold(): Promise<void> {
    const { namespace = "kube-system", name, identity } = this.options;
    const lease = await this.read(namespace, name);
    if (!lease) {
      const metadata = { namespace, name };
      const spec = this.spec();
      const made = { ...TYPE, metadata, spec };
      this.observe(await this.client.create(Lease, made));
      return;
    }
    this.observe(lease);
    const holder = lease.spec?.holderIdentity ?? "";
    const validMs = (lease.spec?.leaseDurationSeconds ?? LEASE_SECONDS) * 1000;
    const expired = this.seenAtMs + validMs <= this.context.kernel.now();
    if (holder && holder !== identity && !expired) return;
    const spec = this.spec(lease);
    this.observe(await this.client.update(Lease, { ...lease, spec }));
  }

  private async read(ns: string, name: string): Promise<Lease | undefined> {
    try {
      return await this.client.get(Lease, ns, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private spec(old?: Lease): Lease["spec"] {
    const now = this.context.kernel.microTimestamp();
    const kept = old?.spec?.holderIdentity === this.options.identity;
    const transitions = old?.spec?.leaseTransitions ?? 0;
    return {
      holderIdentity: this.options.identity,
      leaseDurationSeconds: LEASE_SECONDS,
      acquireTime: kept ? old?.spec?.acquireTime : now,
      renewTime: now,
      leaseTransitions: old && !kept ? transitions + 1 : transitions,
    };
  }

  private observe(lease: Lease): void {
    const same =
      this.seen?.metadata.resourceVersion === lease.metadata.resourceVersion;
    if (!same) this.seenAtMs = this.context.kernel.now();
    this.seen = lease;
  }
}

const TYPE = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" } as const;
