/**
 * PrioritySort: the queue's order. Higher priority first; among equals the
 * one that has waited longer.
 * Models: pkg/scheduler/framework/plugins/queuesort @ v1.36
 */
import type { Plugin } from "../framework.ts";

export function prioritySort(): Plugin {
  return {
    name: "PrioritySort",

    less(a, b) {
      const [x, y] = [a.info.priority, b.info.priority];
      return x > y || (x === y && a.sinceMs < b.sinceMs);
    },
  };
}
