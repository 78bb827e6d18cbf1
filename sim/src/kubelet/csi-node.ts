/**
 * Tells the cluster which CSI drivers this node has: its CSINode object.
 * Models:     pkg/volume/csi/nodeinfomanager @ v1.36
 * Leaves out: topology keys; drivers that come and go.
 */
import { CSINode } from "../api/kinds/csinode.ts";
import { Node } from "../api/kinds/node.ts";
import { isAlreadyExists, isNotFound } from "../api/status.ts";
import type { ComponentContext } from "../client/component.ts";
import { messageOf } from "./runtime/context.ts";

/** How long to wait for the Node to be registered, in ms. */
const AGAIN_MS = 100;
/** And until an API server is asked again that gave no answer. */
const RETRY_MS = 1_000;
/** Volumes that the example driver can attach to a node. */
const COUNT = 128;

export async function registerDrivers(
  { client, kernel, actor }: ComponentContext,
  name: string,
  drivers: readonly string[],
): Promise<void> {
  for (;;) {
    try {
      const { metadata } = await client.get(Node, "", name);
      const owner = { apiVersion: "v1", kind: "Node", name };
      await client.create(CSINode, {
        apiVersion: "storage.k8s.io/v1",
        kind: "CSINode",
        metadata: {
          name,
          ownerReferences: [{ ...owner, uid: metadata.uid ?? "" }],
        },
        spec: {
          drivers: drivers.map((driver) => ({
            ...{ name: driver, nodeID: name, allocatable: { count: COUNT } },
          })),
        },
      });
      return;
    } catch (error) {
      if (isAlreadyExists(error)) return;
      const missing = isNotFound(error);
      if (!missing) {
        const message = messageOf(error);
        kernel.record(actor, "error", "register drivers", "", { message });
      }
      await kernel.sleep(missing ? AGAIN_MS : RETRY_MS);
    }
  }
}
