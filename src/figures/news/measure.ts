/**
 * How late one hears of a change, and what that costs: on every node of a
 * cluster an agent wants to know which Pods the node has, and learns it by
 * asking again and again or by one watch. Measured in runs.
 */
import { ADMIN, createSession, type Session } from "@shikumi/sim";

/** Seconds between two questions; "watch": none is asked. */
export type Way = number | "watch";

export interface Figures {
  readonly way: Way;
  readonly nodes: number;
  /** Requests of all agents in the minute. */
  readonly requests: number;
  /** From the moment that a Pod was bound to the node until its agent knew, in ms. */
  readonly meanMs: number;
  readonly maxMs: number;
}

export const WAYS: readonly Way[] = [10, 1, "watch"];
export const SIZES = [5, 20, 80] as const;

const FROM_MS = 20_000;
const MINUTE_MS = 60_000;
/** Two Pods more a node, in the middle of no agent's pause. */
const SCALE_AT_MS = FROM_MS + 12_300;
const SEED = 7;

const manifest = (replicas: number) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
`;

export async function measure(nodes: number, way: Way): Promise<Figures> {
  const session = createSession({
    seed: SEED,
    trace: "off",
    scenario: { nodes, quietMs: 0 },
    inputs: [{ atMs: SCALE_AT_MS, do: "apply", yaml: manifest(nodes * 2) }],
  });
  const boundAt = new Map<string, number>();
  session.cluster.onWrite(({ before, after }) => {
    if (after?.kind !== "Pod") return;
    if (nodeOf(after) && !nodeOf(before)) boundAt.set(nameOf(after), session.kernel.now());
  });
  const agents = Array.from({ length: nodes }, (_, i) => new Agent(session, `node-${i + 1}`));
  for (const [i, agent] of agents.entries()) {
    // They do not all ask in the same moment.
    const share = typeof way === "number" ? (way * 1000 * i) / nodes : 0;
    session.kernel.after(FROM_MS + share, () => agent.start(way));
  }
  await session.run({ untilMs: FROM_MS + MINUTE_MS });
  const ages = agents.flatMap(({ heard }) =>
    [...heard].map(([name, atMs]) => atMs - (boundAt.get(name) ?? atMs)),
  );
  if (ages.length !== boundAt.size) throw new Error("An agent has not heard of a Pod.");
  return {
    ...{ way, nodes },
    requests: agents.reduce((sum, agent) => sum + agent.requests, 0),
    meanMs: ages.reduce((sum, age) => sum + age, 0) / ages.length,
    maxMs: Math.max(...ages),
  };
}

interface Bound {
  readonly metadata: { readonly name: string };
}

const nameOf = ({ metadata }: Bound) => metadata.name;
const nodeOf = (object: object | undefined) =>
  (object as { spec?: { nodeName?: string } } | undefined)?.spec?.nodeName;

/** Knows when it heard of each Pod of its node. */
class Agent {
  readonly heard = new Map<string, number>();
  requests = 0;
  private readonly session: Session;
  private readonly node: string;

  constructor(session: Session, node: string) {
    this.session = session;
    this.node = node;
  }

  start(way: Way): void {
    const actor = `agent/${this.node}`;
    const { kernel, cluster } = this.session;
    const client = cluster.client(actor, ADMIN);
    const pods = cluster.kinds.byName("pods")!;
    const options = { fieldSelector: `spec.nodeName=${this.node}` };
    const list = async () => {
      this.requests++;
      const { items, metadata } = await client.list(pods, "", options);
      for (const item of items) this.hear(item);
      return metadata.resourceVersion;
    };
    kernel.spawn(actor, async () => {
      if (way === "watch") {
        const resourceVersion = await list();
        this.requests++;
        const onEvent = ({ object }: { object: Bound }) => this.hear(object);
        const from = { ...options, resourceVersion };
        await client.watch(pods, "", from, { onEvent, onEnd: () => {} });
        return;
      }
      for (;;) {
        await list();
        await kernel.sleep(way * 1000);
      }
    });
  }

  private hear(object: Bound): void {
    const name = nameOf(object);
    if (!this.heard.has(name)) this.heard.set(name, this.session.kernel.now());
  }
}
