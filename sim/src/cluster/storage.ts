/**
 * The storage of a cluster that has some: one example driver with its
 * sidecars, a class that is the default, and the driver's half on each node.
 * Leaves out: the driver as a Deployment and a DaemonSet of Pods.
 */
import { CSIDriver } from "../api/kinds/csidriver.ts";
import { StorageClass } from "../api/kinds/storageclass.ts";
import { isAlreadyExists } from "../api/status.ts";
import type { ComponentContext } from "../client/component.ts";
import { describe } from "../client/controller.ts";
import {
  EXAMPLE_DRIVER,
  ExampleController,
  ExampleNode,
} from "../csi/example-driver.ts";
import type { Kernel } from "../kernel/index.ts";
import { registerDrivers } from "../kubelet/csi-node.ts";
import { CsiVolumes } from "../kubelet/csi-volumes.ts";
import type { VolumePlugin } from "../kubelet/volumes.ts";
import { startAttacher } from "../storage/attacher.ts";
import { startProvisioner } from "../storage/provisioner.ts";
import { networkIdentity } from "./identities.ts";
import type { ProcessOptions } from "./process.ts";

const CLASS: StorageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner: EXAMPLE_DRIVER,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
};

const DRIVER: CSIDriver = {
  apiVersion: "storage.k8s.io/v1",
  kind: "CSIDriver",
  metadata: { name: EXAMPLE_DRIVER },
  spec: { attachRequired: true, podInfoOnMount: false },
};

export class Storage {
  private readonly kernel: Kernel;
  private readonly driver: ExampleController;

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.driver = new ExampleController(kernel);
  }

  /** The provisioner and the attacher, each with the driver beside it. */
  processes(): Omit<ProcessOptions, "kernel" | "connect">[] {
    const credentials = () => networkIdentity("kube-system:csi-disk");
    const { driver } = this;
    const sidecars = [
      ["csi-provisioner", startProvisioner],
      ["csi-attacher", startAttacher],
    ] as const;
    return sidecars.map(([actor, start]) => ({
      ...{ actor, credentials },
      start: (contextFor) => {
        const context = contextFor();
        if (start === startProvisioner) install(context);
        return start(context, EXAMPLE_DRIVER, driver);
      },
    }));
  }

  /** What the kubelet of a node mounts claims with. */
  onNode(context: ComponentContext, node: string): VolumePlugin[] {
    const { kernel, driver } = this;
    const { actor, client } = context;
    const service = new ExampleNode(kernel, node, driver);
    const drivers = new Map([[EXAMPLE_DRIVER, service]]);
    kernel.spawn(actor, () => registerDrivers(context, node, [EXAMPLE_DRIVER]));
    return [new CsiVolumes({ kernel, actor, client, node, drivers })];
  }
}

/** Until the API server is asked again, in ms. */
const RETRY_MS = 1_000;

/** What the driver's manifest brings along, as soon as it can be stored. */
function install({ kernel, actor, client }: ComponentContext): void {
  const make = async (create: () => Promise<unknown>) => {
    for (;;) {
      try {
        await create();
        return;
      } catch (error) {
        if (isAlreadyExists(error)) return;
        kernel.record(actor, "error", "install", "", describe(error));
        await kernel.sleep(RETRY_MS);
      }
    }
  };
  kernel.spawn(actor, async () => {
    await make(() => client.create(CSIDriver, DRIVER));
    await make(() => client.create(StorageClass, CLASS));
  });
}
