/**
 * An operator to be written: it hears of every Website, and does nothing yet.
 * A Website stands for a Deployment and a Service of its name.
 */
import type { ResourceRef } from "../api/resource.ts";
import { type KubeObject, keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";

// You may need: import { Deployment } from "../api/kinds/deployment.ts";
//               import { Service } from "../api/kinds/service.ts";
//               import { controllerOf } from "../api/types.ts";

export interface Website extends KubeObject {
  readonly spec: { readonly image: string; readonly replicas: number };
  readonly status?: { readonly readyReplicas?: number };
}

/** As the CustomResourceDefinition has it. */
const Website: ResourceRef<Website> = {
  ...{ group: "example.com", version: "v1", kind: "Website" },
  ...{ resource: "websites", namespaced: true },
};

interface Context extends ComponentContext {
  readonly websites: Informer<Website>;
}

export function startOperator(context: ComponentContext): Component {
  const websites = context.informers.informer(Website);
  const ctx: Context = { ...context, websites };
  const controller = startController(ctx, {
    workers: 1,
    reconcile: (key) => reconcile(key, ctx),
  });
  const own = (website: Website) => controller.queue.add(keyOf(website));
  controller.on(websites, { added: own, updated: own });
  return controller;
}

/** Called with `default/shop` when the Website of that name has changed. */
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const website = ctx.websites.get(key);
  if (!website) return;
  // Write here. 1. A Deployment and a Service of the same name: the Pods have
  // the label `website`, and the Service selects it. 2. Both name the Website
  // as their owner. 3. `status.readyReplicas` of the Website. And who calls
  // this function when somebody scales the Deployment?
}

/** Server-side apply: made if it is not there, and ours wins. */
async function apply<T extends KubeObject>(
  ref: ResourceRef<T>,
  object: T,
  { client, actor }: Context,
): Promise<void> {
  const { namespace = "", name } = object.metadata;
  const type = "application/apply-patch+yaml";
  const options = { fieldManager: actor, force: true };
  await client.patch(ref, namespace, name, type, object, { options });
}
