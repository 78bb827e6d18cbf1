/**
 * Tells the cluster which CSI drivers this node has: its CSINode object.
 * Models:     pkg/volume/csi/nodeinfomanager @ v1.36
 * Leaves out: topology keys; drivers that come and go.
 */
import { CSINode } from "../api/kinds/csinode.ts";
import { Node } from "../api/kinds/node.ts";
import { isAlreadyExists, isNotFound } from "../api/status.ts";
import type { ComponentContext } from "../client/component.ts";

/** How long to wait for the Node to be registered, in ms. */
const AGAIN_MS = 100;
/** Volumes that the example driver can attach to a node. */
const COUNT = 128;

export async function registerDrivers(
  { client, kernel }: ComponentContext,
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
      if (!isNotFound(error)) throw error;
      await kernel.sleep(AGAIN_MS);
    }
  }
}
