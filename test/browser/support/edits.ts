/** Edits of the small simulator's controller, by what is wrong with them. */

/** One input that asks for `replicas` Pods. */
export const ask = (replicas: number) => [
  { atMs: 10, do: "apply" as const, yaml: `replicas: ${replicas}` },
];

export const CONTROLLER = "controllers/replicaset.ts";

/** The controller with its decision replaced, from line 7 on. */
export function decide(body: string): Record<string, string> {
  return {
    [CONTROLLER]: `/** Keeps the wanted number of Pods. */
import type { Kernel } from "../kernel/index.ts";
import type { Store, Thing } from "../store.ts";
import { podName } from "./names.ts";

export function podsMissing(wanted: number, pods: readonly Thing[]): number {
  ${body}
}

export async function reconcile(kernel: Kernel, store: Store, set: Thing): Promise<void> {
  const missing = podsMissing(set.replicas ?? 1, store.list("Pod"));
  for (let i = 0; i < missing; i++) {
    await kernel.sleep(2);
    store.put({ kind: "Pod", namespace: set.namespace, name: podName(set.name, kernel.random) });
  }
}

export function startReplicaSet(kernel: Kernel, store: Store): void {
  const actor = "replicaset-controller";
  store.watch((set) => {
    if (set.kind !== "ReplicaSet") return;
    kernel.spawn(actor, async () => {
      try {
        await reconcile(kernel, store, set);
      } catch (error) {
        const { message, stack } = error as Error;
        kernel.record(actor, "error", set.name, "", { message, stack });
      }
    });
  });
}
`,
  };
}
