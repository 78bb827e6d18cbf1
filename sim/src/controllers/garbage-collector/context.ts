/** What the parts of the garbage collector share. */
import type { ComponentContext } from "../../client/component.ts";
import type { WorkQueue } from "../../client/workqueue.ts";
import type { Graph } from "./graph.ts";

export interface CollectorContext extends ComponentContext {
  readonly graph: Graph;
  /** Items to be deleted if they have no owner left. */
  readonly toDelete: WorkQueue;
  /** Owners whose dependents are to be set free. */
  readonly toOrphan: WorkQueue;
  /** Owners that the server said are gone, by `ownerKey`. */
  readonly absent: Set<string>;
}
