/**
 * An operator: a controller of a kind that Kubernetes itself does not know. A
 * Website stands for a Deployment and a Service, which are kept as it says.
 * It meets nothing but the API, so the same file works on a real cluster:
 * `shikumi controller website.ts`.
 * Models: what kubebuilder's and Operator SDK's examples do, with client-go's
 *         parts and server-side apply.
 * Try:    leave out the owner, and delete the Website.
 */
import { Deployment } from "../api/kinds/deployment.ts";
import { Service } from "../api/kinds/service.ts";
import type { ResourceRef } from "../api/resource.ts";
import {
  controllerOf,
  type KubeObject,
  keyOf,
  type ObjectKey,
} from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import type { Informer } from "../client/informer.ts";

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
  readonly deployments: Informer<Deployment>;
}

// region: start
export function startOperator(context: ComponentContext): Component {
  const { informers } = context;
  const websites = informers.informer(Website);
  const deployments = informers.informer(Deployment);
  const ctx: Context = { ...context, websites, deployments };
  const controller = startController(ctx, {
    workers: 1,
    reconcile: (key) => reconcile(key, ctx),
  });
  const own = (website: Website) => controller.queue.add(keyOf(website));
  controller.on(websites, { added: own, updated: own });
  // What it owns has changed: its owner is looked at again.
  const owners = (object: KubeObject) => {
    const owner = controllerOf(object);
    if (owner?.kind !== Website.kind) return;
    controller.queue.add(`${object.metadata.namespace}/${owner.name}`);
  };
  controller.on<Deployment>(deployments, {
    added: owners,
    updated: owners,
    deleted: owners,
  });
  return controller;
}
// endregion: start

// region: reconcile
/** What has to be there is said whole, each time; what is so already does not change. */
async function reconcile(key: ObjectKey, ctx: Context): Promise<void> {
  const website = ctx.websites.get(key);
  // What a deleted Website owned, the garbage collector deletes.
  if (!website || website.metadata.deletionTimestamp) return;
  await apply(Deployment, deploymentOf(website), ctx);
  await apply(Service, serviceOf(website), ctx);
  await report(website, ctx);
}
// endregion: reconcile

function deploymentOf(website: Website): Deployment {
  const { image, replicas } = website.spec;
  const labels = { website: website.metadata.name };
  const containers = [{ name: "web", image, ports: [{ containerPort: 80 }] }];
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment" },
    metadata: ownedBy(website),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

function serviceOf(website: Website): Service {
  const selector = { website: website.metadata.name };
  return {
    ...{ apiVersion: "v1", kind: "Service" },
    metadata: ownedBy(website),
    spec: { selector, ports: [{ port: 80 }] },
  };
}

/** Its name and Namespace, and whose it is: with its owner it goes. */
function ownedBy({ apiVersion, kind, metadata }: Website) {
  const { name, namespace, uid = "" } = metadata;
  const owner = { apiVersion, kind, name, uid, controller: true };
  return { name, namespace, ownerReferences: [owner] };
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

/** The status tells what is, and nobody else writes it. */
async function report(website: Website, ctx: Context): Promise<void> {
  const { namespace = "", name } = website.metadata;
  const deployment = ctx.deployments.get(keyOf(website));
  const readyReplicas = deployment?.status?.readyReplicas ?? 0;
  if (website.status?.readyReplicas === readyReplicas) return;
  const type = "application/merge-patch+json";
  const more = { subresource: "status" };
  const body = { status: { readyReplicas } };
  await ctx.client.patch(Website, namespace, name, type, body, more);
}
