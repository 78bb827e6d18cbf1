/**
 * The kubelet's care for its own Node: registration, heartbeats, and whether
 * the runtime and its network are ready.
 * Models: pkg/kubelet/kubelet.go updateRuntimeUp, kubelet_node_status.go @ v1.36
 */
import type { Node, NodeCondition, NodeStatus } from "../../api/kinds/node.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { EventType } from "../../client/events.ts";
import type { Condition } from "../eviction/thresholds.ts";
import type { KubeletOptions } from "../options.ts";
import { messageOf } from "../runtime/context.ts";
import { Heartbeat } from "./heartbeat.ts";
import { nodeStatus } from "./node-object.ts";

const PRESSURE_EVENTS = [
  [
    "MemoryPressure",
    "NodeHasSufficientMemory",
    "NodeHasInsufficientMemory",
  ] as const,
  ["DiskPressure", "NodeHasNoDiskPressure", "NodeHasDiskPressure"] as const,
  ["PIDPressure", "NodeHasSufficientPID", "NodeHasInsufficientPID"] as const,
];

/** The node's status lists so many images at most. */
const IMAGES_MAX = 50;

export class NodeAgent {
  /** Why no Pod can have a network; "" if it can. */
  networkProblem = "";
  /** What the node is short of. */
  pressure: { readonly conditions: ReadonlySet<Condition> } = {
    conditions: new Set(),
  };
  /** Why the node is not ready, whatever the runtime says; "" if it is. */
  shutdown: { readonly problem: string } = { problem: "" };
  /** Ids of the images that were there at first. */
  imagesAtStart: ReadonlySet<string> | undefined;
  private readonly context: ComponentContext;
  private readonly options: KubeletOptions;
  private readonly heartbeat: Heartbeat;

  constructor(context: ComponentContext, options: KubeletOptions) {
    this.context = context;
    this.options = options;
    this.heartbeat = new Heartbeat({
      ...{ context, options },
      look: (before) => this.look(before),
      onReady: (ready) => this.say(ready ? "NodeReady" : "NodeNotReady"),
      onRegistered: (node) => this.onRegistered(node),
      onReported: ({ volumesInUse = [] }) => {
        for (const one of options.volumePlugins ?? []) {
          one.reported?.(volumesInUse);
        }
      },
    });
  }

  start(): void {
    this.event("Starting", "Starting kubelet.");
    this.heartbeat.start();
  }

  stop(): void {
    this.heartbeat.stop();
  }

  /** Something changed that the API should hear of now. */
  refresh(): void {
    this.heartbeat.refresh();
  }

  private onRegistered(_node: Node): void {
    for (const [, well] of PRESSURE_EVENTS) this.say(well);
    const enforced = "Updated Node Allocatable limit across pods";
    this.event("NodeAllocatableEnforced", enforced);
  }

  private say(reason: string): void {
    const { name } = this.options.node;
    this.event(reason, `Node ${name} status is now: ${reason}`);
  }

  /** An Event about the node. */
  event(reason: string, message: string, type: EventType = "Normal"): void {
    const { name } = this.options.node;
    // The kubelet names its node by its name, for want of the uid.
    const node = { kind: "Node", name, uid: name };
    this.context.events.event(node, type, reason, message);
  }

  private async look(before: NodeStatus): Promise<NodeStatus> {
    const { kernel } = this.context;
    const problem = together(
      await this.runtimeProblem(),
      this.shutdown.problem,
    );
    const images = await this.images();
    const now = kernel.timestamp();
    const pressure = this.pressure.conditions;
    const facts = { now, problem, pressure, images };
    const { conditions = [] } = before;
    const status = nodeStatus(this.options, facts, conditions);
    if (conditions.length > 0) this.sayTurns(conditions);
    return status;
  }

  /** A condition that turns is worth an Event. */
  private sayTurns(before: readonly NodeCondition[]): void {
    for (const [type, well, ill] of PRESSURE_EVENTS) {
      const pressed = this.pressure.conditions.has(type);
      const was = before.find((condition) => condition.type === type);
      if (was?.status === (pressed ? "True" : "False")) continue;
      this.say(pressed ? ill : well);
    }
  }

  /** Asks the runtime: is it there, and can it make networks? */
  private async runtimeProblem(): Promise<string> {
    try {
      const { status } = await this.options.runtime.status({});
      const network = status.conditions.find((c) => c.type === "NetworkReady");
      if (network?.status) {
        this.networkProblem = "";
        return "";
      }
      const { reason = "", message = "" } = network ?? {};
      const text = `container runtime network not ready: NetworkReady=false reason:${reason} message:${message}`;
      this.networkProblem = text;
      return text;
    } catch (error) {
      return `container runtime is down: ${messageOf(error)}`;
    }
  }

  private async images() {
    const { images } = await this.options.runtime.listImages({});
    this.imagesAtStart ??= new Set(images.map(({ id }) => id));
    return images
      .toSorted((a, b) => b.size - a.size)
      .slice(0, IMAGES_MAX)
      .map(({ repo_tags = [], repo_digests = [], size }) => ({
        names: [...repo_digests, ...repo_tags],
        sizeBytes: size,
      }));
  }
}

/** As Go prints several errors. */
function together(a: string, b: string): string {
  return a && b ? `[${a}, ${b}]` : a || b;
}
