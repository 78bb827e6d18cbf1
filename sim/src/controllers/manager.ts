/**
 * kube-controller-manager: one process in which all controllers run. They
 * share local copies of the kinds they watch and nothing else.
 * Models: cmd/kube-controller-manager/app/controllermanager.go @ v1.36
 * Try:    leave `replicaset` out and create a Deployment.
 */
import type { Client } from "../client/client.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { EventRecorder } from "../client/events.ts";
import { InformerFactory } from "../client/informer.ts";
import { startLeaderElection } from "../client/leader-election.ts";
import type { Kernel } from "../kernel/index.ts";
import {
  INITIALIZERS,
  type Initializer,
  type ManagerOptions,
} from "./initializers.ts";

export type { ManagerOptions } from "./initializers.ts";

/** What the manager is given by the machine that it runs on. */
export interface ManagerHost {
  readonly kernel: Kernel;
  /** The process in the trace: `kube-controller-manager`. */
  readonly actor: string;
  /** A client for one controller, under that name in the trace. */
  clientFor(actor: string): Client;
}

/** Starts the controllers; with `leaderElection`, once this copy leads. */
export function startControllerManager(
  host: ManagerHost,
  options: ManagerOptions,
): Component {
  const { identity } = options.leaderElection ?? {};
  if (identity === undefined) return startControllers(host, options);
  let running: Component | undefined;
  const { kernel, actor } = host;
  const random = kernel.random.fork(identity);
  const election = startLeaderElection(
    { kernel, actor, client: host.clientFor(actor), random },
    {
      name: "kube-controller-manager",
      identity,
      onStartedLeading() {
        running = startControllers(host, options);
      },
      onStoppedLeading() {
        running?.stop();
        running = undefined;
      },
    },
  );
  return election;
}

// region: start-controllers
function startControllers(
  host: ManagerHost,
  options: ManagerOptions,
): Component {
  const { kernel, actor } = host;
  const client = host.clientFor(actor);
  const informers = new InformerFactory({ kernel, actor, client });
  const clients = [client];
  const components: Component[] = [];
  for (const initializer of INITIALIZERS) {
    if (!isEnabled(initializer.name, options.controllers)) continue;
    const context = contextOf(initializer, host, informers);
    clients.push(context.client);
    components.push(initializer.start(context, options));
  }
  return {
    stop() {
      for (const component of components) component.stop();
      for (const one of clients) one.close();
      informers.stop();
    },
  };
}
// endregion: start-controllers

function contextOf(
  { actor, eventSource = actor }: Initializer,
  { kernel, clientFor }: ManagerHost,
  informers: InformerFactory,
): ComponentContext {
  const client = clientFor(actor);
  const component = eventSource;
  const events = new EventRecorder({ kernel, client, actor, component });
  const random = kernel.random.fork(actor);
  return { kernel, actor, client, informers, events, random };
}

/** `--controllers`: names; `*` is all, `-name` all but that one. */
function isEnabled(
  name: string,
  controllers: readonly string[] = ["*"],
): boolean {
  if (controllers.includes(`-${name}`)) return false;
  return controllers.includes(name) || controllers.includes("*");
}
