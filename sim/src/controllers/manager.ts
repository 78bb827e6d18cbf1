/**
 * kube-controller-manager: one process in which all controllers run. They
 * share local copies of the kinds they watch and nothing else.
 * Models:     cmd/kube-controller-manager/app/controllermanager.go @ v1.36
 * Leaves out: the clients' own limit (--kube-api-qps 20, --kube-api-burst 30
 *             a client): 1,000 Pods are made as fast as the server answers.
 * Try:        leave `replicaset-controller` out and create a Deployment.
 */
import type { Component, ComponentContext } from "../client/component.ts";
import { startLeaderElection } from "../client/leader-election.ts";
import { INITIALIZERS, type ManagerOptions } from "./initializers.ts";

export type { ManagerOptions } from "./initializers.ts";

/**
 * Makes the context of the process (no `actor`) or of one controller in it:
 * its name in the trace, and the `source.component` of its Events.
 */
export type ContextFor = (
  actor?: string,
  eventSource?: string,
) => ComponentContext;

/** Starts the controllers; with `leaderElection`, once this copy leads. */
export function startControllerManager(
  contextFor: ContextFor,
  options: ManagerOptions,
): Component {
  const identity = options.leaderElection?.identity;
  if (identity === undefined) return startControllers(contextFor, options);
  let running: Component | undefined;
  return startLeaderElection(contextFor(), {
    name: "kube-controller-manager",
    identity,
    onStartedLeading() {
      running = startControllers(contextFor, options);
    },
    onStoppedLeading() {
      running?.stop();
      running = undefined;
    },
  });
}

// region: start-controllers
function startControllers(
  contextFor: ContextFor,
  options: ManagerOptions,
): Component {
  const running = INITIALIZERS.filter(({ name }) =>
    isEnabled(name, options.controllers),
  ).map(({ actor, eventSource = actor, start }) => {
    const context = contextFor(actor, eventSource);
    return { context, component: start(context, options) };
  });
  return {
    stop() {
      for (const { context, component } of running) {
        component.stop();
        // What a reconcile in its midst still asks for is refused.
        context.client.close();
      }
    },
  };
}
// endregion: start-controllers

/** `--controllers`: names; `*` is all, `-name` all but that one. */
function isEnabled(
  name: string,
  controllers: readonly string[] = ["*"],
): boolean {
  if (controllers.includes(`-${name}`)) return false;
  return controllers.includes(name) || controllers.includes("*");
}
