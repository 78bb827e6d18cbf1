/**
 * Lanes of the rail figure: the API server is the rail across the middle, etcd
 * hangs under it, the control plane stands above, nodes below. Only parts that
 * take part in the shown beats get a lane.
 */
import { API, type Beat } from "./story.ts";

export type PartColour =
  | "you"
  | "api"
  | "etcd"
  | "controller"
  | "scheduler"
  | "kubelet"
  | "cri"
  | "cni"
  | "csi";

export interface Lane {
  readonly actor: string;
  /** Without the node: `kubelet`, but with its machine: `etcd cp-1`. */
  readonly label: string;
  /** `node-1`, or "" for the control plane. */
  readonly node: string;
  readonly colour: PartColour;
  readonly side: "above" | "rail" | "below";
}

const CRI = new Set(["containerd", "crio", "docker", "registry"]);
/** Order from the top; unknown control-plane parts stand just above the rail. */
const ABOVE = ["you", "kubectl", "cloud-controller-manager"];

export function colourOf(actor: string): PartColour {
  const part = actor.split("/")[0]!;
  if (part === API) return "api";
  if (part === "etcd") return "etcd";
  if (part === "you" || part === "kubectl" || part === "fault") return "you";
  if (part === "kube-scheduler") return "scheduler";
  if (part === "kubelet" || part === "kube-proxy") return "kubelet";
  if (CRI.has(part)) return "cri";
  if (part === "cni") return "cni";
  if (part === "csi") return "csi";
  return "controller";
}

export function lanesOf(beats: readonly Beat[]): Lane[] {
  const actors = new Set<string>([API]);
  for (const beat of beats) {
    actors.add(beat.from);
    actors.add(beat.to);
  }
  const lanes = [...actors].map(laneOf);
  return lanes.sort(
    (a, b) =>
      rank(a) - rank(b) ||
      compare(a.node, b.node) ||
      depth(a) - depth(b) ||
      compare(a.actor, b.actor),
  );
}

/** Of `lanes`, the API server and those that take part in `beats`. */
export function lanesThatAct(lanes: readonly Lane[], beats: readonly Beat[]): Lane[] {
  const actors = new Set(beats.flatMap(({ from, to }) => [from, to]));
  return lanes.filter(({ actor, side }) => side === "rail" || actors.has(actor));
}

function laneOf(actor: string): Lane {
  const colour = colourOf(actor);
  const [label, rest = ""] = splitActor(actor);
  if (colour === "api") return { actor, label: actor, node: "", colour, side: "rail" };
  // The half of a storage driver that runs once stands by its sidecars.
  const onNode = NODE_PARTS.has(colour) && !/^csi\/[^/]+$/.test(actor);
  const below = colour === "etcd" || onNode;
  return {
    actor,
    label: onNode || rest === "" ? label : `${label} ${rest}`,
    node: onNode ? rest : "",
    colour,
    side: below ? "below" : "above",
  };
}

const NODE_PARTS = new Set<PartColour>(["kubelet", "cri", "cni", "csi"]);

/** `kubelet/node-1` → ["kubelet", "node-1"]; the node is the last part. */
function splitActor(actor: string): [string, string?] {
  const cut = actor.lastIndexOf("/");
  return cut < 0 ? [actor] : [actor.slice(0, cut), actor.slice(cut + 1)];
}

function rank(lane: Lane): number {
  if (lane.actor === "registry") return 103; // Outside of the cluster.
  if (lane.side === "rail") return 100;
  if (lane.colour === "etcd") return 101;
  if (lane.side === "below") return 102;
  const at = ABOVE.indexOf(lane.actor);
  if (at >= 0) return at;
  return lane.colour === "scheduler" ? 60 : 50;
}

/** Order of the parts of one node: the further from the API, the lower. */
function depth(lane: Lane): number {
  if (lane.node === "") return -1;
  return ["kubelet", "cri", "cni", "csi"].indexOf(lane.colour);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
