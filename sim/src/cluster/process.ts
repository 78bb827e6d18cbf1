/**
 * A process of the cluster, such as the controller manager: one set of
 * informers, one connection an actor, and the components that run inside it.
 * When it stops, its memory is gone; started again, it begins anew.
 */
import type { Credentials, Transport } from "../api/transport.ts";
import { Client } from "../client/client.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { EventRecorder } from "../client/events.ts";
import { InformerFactory } from "../client/informer.ts";
import type { Kernel } from "../kernel/index.ts";

/** What a process is called, who it is to the API server, and what runs in it. */
export interface ProcessOptions {
  readonly kernel: Kernel;
  /** Name in the trace and for faults: `kube-scheduler`, `kubelet/node-1`. */
  readonly actor: string;
  /** Who the process is to the API server, and each component in it. */
  readonly credentials: (actor: string) => Credentials;
  readonly connect: (actor: string) => Transport;
  /** `source.host` of its Events: the node, for node components. */
  readonly host?: string;
  /** Name of its Events' source, where it is not the actor's first part. */
  readonly source?: string;
  /** The scheduler records Events by the newer API. */
  readonly newEvents?: boolean;
  readonly start: (contextFor: ContextFor) => Component;
}

/** The context of the process, or of a named component inside it. */
export type ContextFor = (actor?: string, source?: string) => ComponentContext;

/** One process: it starts and stops, and forgets all when it stops. */
export class ClusterProcess {
  readonly actor: string;
  private readonly options: ProcessOptions;
  private component: Component | null = null;
  private clients: Client[] = [];
  private informers: InformerFactory | null = null;

  constructor(options: ProcessOptions) {
    this.options = options;
    this.actor = options.actor;
  }

  start(): void {
    if (this.component) return;
    const { kernel, actor, start } = this.options;
    const client = this.clientFor(actor);
    const informers = new InformerFactory({ kernel, client, actor });
    this.informers = informers;
    this.component = start((name = actor, source = this.options.source) =>
      this.contextFor(name, source, informers),
    );
  }

  /** The process ends: what it remembered and what it waited for is lost. */
  stop(): void {
    this.component?.stop();
    this.informers?.stop();
    for (const client of this.clients) client.close();
    this.component = this.informers = null;
    this.clients = [];
  }

  private clientFor(actor: string): Client {
    const { connect, credentials } = this.options;
    const userAgent = actor.split("/")[0]!;
    const client = new Client(connect(actor), {
      userAgent,
      credentials: credentials(actor),
    });
    this.clients.push(client);
    return client;
  }

  private contextFor(
    actor: string,
    component: string = actor.split("/")[0]!,
    informers: InformerFactory,
  ): ComponentContext {
    const { kernel, host, newEvents } = this.options;
    const client = this.clientFor(actor);
    const events = new EventRecorder({
      kernel,
      client,
      actor,
      component,
      host,
      reportingInstance: newEvents ? `${component}-cp-1` : undefined,
    });
    const random = kernel.random.fork(actor);
    return { kernel, actor, client, informers, events, random };
  }
}
