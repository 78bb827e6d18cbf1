/**
 * Creates and deletes Pods for a controller, each with its Event.
 * Models: pkg/controller/controller_utils.go (RealPodControl) @ v1.36
 */
import { Pod } from "../../api/kinds/pod.ts";
import type { PodTemplateSpec } from "../../api/kinds/types/pod.ts";
import { dns1123Subdomain } from "../../api/names.ts";
import type { ResourceRef } from "../../api/resource.ts";
import { hasCause, isNotFound } from "../../api/status.ts";
import type { KubeObject, ObjectMeta } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import { controllerRef } from "./owners.ts";

type PodControlContext = Pick<ComponentContext, "client" | "events">;

/** Cause of a refusal in a namespace that is being deleted. */
export const NAMESPACE_TERMINATING = "NamespaceTerminating";

/** A new Pod as the template says, controlled by `owner`; not yet sent. */
export function podFromTemplate(
  template: PodTemplateSpec,
  ownerRef: ResourceRef,
  owner: KubeObject,
  more: Partial<ObjectMeta> = {},
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const { namespace, name } = owner.metadata;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "",
      generateName: podNamePrefix(name),
      namespace,
      labels,
      annotations,
      finalizers,
      ownerReferences: [controllerRef(ownerRef, owner)],
      ...more,
    },
    spec: template.spec,
  };
}

/** `web-`, unless that cannot begin a name. */
function podNamePrefix(owner: string): string {
  const prefix = `${owner}-`;
  return dns1123Subdomain(prefix.slice(0, -1)).length > 0 ? owner : prefix;
}

/** Creates `pod`; Event SuccessfulCreate or FailedCreate on `owner`. */
export async function createPod(
  { client, events }: PodControlContext,
  owner: KubeObject,
  pod: Pod,
): Promise<Pod> {
  try {
    const made = await client.create(Pod, pod);
    const message = `Created pod: ${made.metadata.name}`;
    events.event(owner, "Normal", "SuccessfulCreate", message);
    return made;
  } catch (error) {
    if (!hasCause(error, NAMESPACE_TERMINATING)) {
      const message = `Error creating: ${textOf(error)}`;
      events.event(owner, "Warning", "FailedCreate", message);
    }
    throw error;
  }
}

/** Deletes `pod`; Event SuccessfulDelete or FailedDelete on `owner`. */
export async function deletePod(
  { client, events }: PodControlContext,
  owner: KubeObject,
  pod: Pod,
): Promise<void> {
  const { namespace = "", name } = pod.metadata;
  try {
    await client.delete(Pod, namespace, name);
  } catch (error) {
    if (!isNotFound(error)) {
      const message = `Error deleting: ${textOf(error)}`;
      events.event(owner, "Warning", "FailedDelete", message);
    }
    throw error;
  }
  const message = `Deleted pod: ${name}`;
  events.event(owner, "Normal", "SuccessfulDelete", message);
}

/** The message of an error, whatever was thrown. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
