/** A whole cluster to ask: it runs to a moment, answers kubectl, and shows its objects and its trace. */
import { list, obj, str } from "../../../sim/src/api/kinds/access.ts";
import type { Credentials } from "../../../sim/src/api/transport.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import type { Client } from "../../../sim/src/client/client.ts";
import {
  ADMIN,
  createSession,
  type Input,
  type Row,
  rowOf,
  type Scenario,
  type TraceEntry,
} from "../../../sim/src/index.ts";
import { runKubectl } from "../../../sim/src/kubectl/kubectl.ts";

export type Loose = ReturnType<typeof obj>;

export const spec = (object: KubeObject | undefined): Loose =>
  obj((object as { spec?: unknown } | undefined)?.spec);
export const status = (object: KubeObject | undefined): Loose =>
  obj((object as { status?: unknown } | undefined)?.status);

/** Status of a condition, or of none "". */
export function condition(object: KubeObject | undefined, wanted: string): Loose {
  return obj(list(status(object).conditions).find(({ type }) => type === wanted));
}

export const isReady = (pod: KubeObject): boolean => str(condition(pod, "Ready").status) === "True";

/** So long a command may take, in simulated ms. */
const PATIENCE_MS = 120_000;

export function world(scenario: Scenario, inputs: readonly Input[] = [], seed = 1) {
  const session = createSession({ seed, scenario: { quietMs: 0, ...scenario }, inputs });
  const { kernel, cluster } = session;

  /** Runs until so many simulated seconds have passed since the start. */
  const until = (seconds: number) => session.run({ untilMs: seconds * 1000 });
  const more = (seconds: number) => session.run({ untilMs: kernel.now() + seconds * 1000 });

  /** Does something as a client would, and waits for it; an error is thrown. */
  const act = async <T>(
    body: (client: Client) => Promise<T>,
    credentials: Credentials = ADMIN,
  ): Promise<T> => {
    const box: { value?: T; error?: unknown } = {};
    const process = kernel.spawn("you", async () => {
      try {
        box.value = await body(cluster.client("you", credentials));
      } catch (error) {
        box.error = error;
      }
    });
    const untilMs = kernel.now() + PATIENCE_MS;
    await session.run({ untilMs, stopWhen: () => process.ended });
    if (!process.ended) throw new Error(`no answer within ${PATIENCE_MS} ms`);
    if (box.error) throw box.error;
    return box.value as T;
  };

  /** What the command prints, errors too. */
  const kubectl = (line: string, stdin = "", credentials: Credentials = ADMIN): Promise<string> =>
    act(async (client) => {
      const lines: string[] = [];
      const print = (text: string) => lines.push(text);
      const argv = line.split(" ");
      const files = { "-": stdin };
      const { kinds } = cluster;
      const problem = () => {};
      await runKubectl(argv, { kernel, client, kinds, files, out: print, err: print, problem });
      return lines.join("\n");
    }, credentials);

  const apply = (yaml: string) => kubectl("apply -f -", yaml);

  /** As the first API server has them. */
  const objects = (resource: string, namespace = "default"): KubeObject[] =>
    cluster.server.storageOf(resource).cache.list(namespace);
  const object = (resource: string, name: string, namespace = "default") =>
    cluster.server.storageOf(resource).get(namespace, name) as KubeObject | undefined;
  const pods = (app?: string) =>
    objects("pods").filter(({ metadata }) => !app || metadata.labels?.app === app);

  const entries = (verb: string, from = 0): TraceEntry[] =>
    [...kernel.trace].filter((entry) => entry.verb === verb && entry.atMs >= from);
  const rows = (verb: string, from = 0): Row[] => entries(verb, from).map(rowOf);

  return {
    ...{ session, kernel, cluster, until, more, act, kubectl, apply },
    ...{ objects, object, pods, entries, rows },
  };
}

export type World = ReturnType<typeof world>;

export interface DeploymentOptions {
  readonly replicas?: number;
  readonly image?: string;
  readonly spec?: string;
  readonly pod?: string;
  readonly container?: string;
}

/** A Deployment `web` of nginx, unless told otherwise. */
export function deployment(options: DeploymentOptions = {}): string {
  const { replicas = 2, image = "nginx:1.27" } = options;
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  ${options.spec ?? ""}
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      ${options.pod ?? ""}
      containers:
        - name: c
          image: "${image}"
          ${options.container ?? ""}
`;
}

/** A Pod of one container. */
export function pod(name: string, more = "", container = ""): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  ${more}
  containers: [{ name: c, image: "nginx:1.27"${container && `, ${container}`} }]
`;
}
