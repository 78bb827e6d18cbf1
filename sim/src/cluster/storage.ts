/**
 * The storage of a cluster that has some: one example driver with its
 * sidecars, and the driver's half on each node.
 * Leaves out: the driver as a Deployment and a DaemonSet of Pods; snapshots
 *             and their sidecar; the sidecars that only watch health.
 */
import type { ComponentContext } from "../client/component.ts";
import {
  EXAMPLE_DRIVER,
  ExampleController,
  ExampleNode,
} from "../csi/example-driver.ts";
import type { Disk } from "../kernel/disk.ts";
import type { Kernel } from "../kernel/index.ts";
import { registerDrivers } from "../kubelet/csi-node.ts";
import { CsiVolumes } from "../kubelet/csi-volumes.ts";
import type { VolumePlugin } from "../kubelet/volumes.ts";
import { startAttacher } from "../storage/attacher.ts";
import { startProvisioner } from "../storage/provisioner.ts";
import { startResizer } from "../storage/resizer.ts";
import { accountIdentity } from "./identities.ts";
import type { ProcessOptions } from "./process.ts";

const RESIZER = `external-resizer ${EXAMPLE_DRIVER}`;

export class Storage {
  private readonly kernel: Kernel;
  private readonly driver: ExampleController;
  private readonly nodes = new Map<string, ExampleNode>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.driver = new ExampleController(kernel);
  }

  /** The driver's sidecars, each with the driver beside it. */
  processes(): Omit<ProcessOptions, "kernel" | "connect">[] {
    const { driver } = this;
    const sidecars = [
      ["csi-provisioner", startProvisioner],
      ["csi-attacher", startAttacher],
      ["csi-resizer", startResizer],
    ] as const;
    return sidecars.map(([actor, start]) => ({
      actor,
      // Under this name its Events are known.
      ...(start === startResizer && { source: RESIZER }),
      credentials: () => accountIdentity("kube-system", actor),
      start: (contextFor) => start(contextFor(), EXAMPLE_DRIVER, driver),
    }));
  }

  /** What the kubelet of a node mounts claims with. */
  onNode(context: ComponentContext, node: string, disk: Disk): VolumePlugin[] {
    const { kernel, driver } = this;
    // The driver lives on when its kubelet does not.
    const service =
      this.nodes.get(node) ?? new ExampleNode(kernel, node, driver);
    this.nodes.set(node, service);
    const drivers = new Map([[EXAMPLE_DRIVER, service]]);
    kernel.spawn(context.actor, () =>
      registerDrivers(context, node, [EXAMPLE_DRIVER]),
    );
    return [new CsiVolumes({ ...context, node, drivers, disk })];
  }
}
