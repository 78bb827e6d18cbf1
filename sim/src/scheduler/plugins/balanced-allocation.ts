/**
 * NodeResourcesBalancedAllocation: likes a Node on which the Pod makes CPU
 * and memory be used more evenly; 75 if nothing changes.
 * Models:     pkg/scheduler/framework/plugins/noderesources/
 *             balanced_allocation.go @ v1.36
 * Leaves out: resources other than CPU and memory (a setting upstream).
 */
import { MAX_NODE_SCORE, NO_STATE, type Plugin } from "../framework.ts";
import { SKIP } from "../status.ts";

const HALF = MAX_NODE_SCORE / 2;

export function balancedAllocation(): Plugin {
  return {
    name: "NodeResourcesBalancedAllocation",

    /** Pods without requests would all be drawn to one Node: left out. */
    preScore({ pod: { requests } }) {
      const { cpuMilli, memoryBytes } = requests;
      return cpuMilli === 0 && memoryBytes === 0 ? SKIP : NO_STATE;
    },

    score(node, { requests }) {
      const { cpuMilli, memoryBytes, usedCpuMilli, usedMemoryBytes } = node;
      const without = balance(
        usedCpuMilli,
        cpuMilli,
        usedMemoryBytes,
        memoryBytes,
      );
      const withPod = balance(
        usedCpuMilli + requests.cpuMilli,
        cpuMilli,
        usedMemoryBytes + requests.memoryBytes,
        memoryBytes,
      );
      return HALF + Math.trunc((HALF + withPod - without) / 2);
    },
  };
}

/** 100 if both are used to the same share; 50 if one is full, one empty. */
function balance(
  cpu: number,
  cpuAll: number,
  memory: number,
  memoryAll: number,
): number {
  if (cpuAll === 0 || memoryAll === 0) return MAX_NODE_SCORE;
  const a = Math.min(1, cpu / cpuAll);
  const b = Math.min(1, memory / memoryAll);
  const deviation = Math.abs((a - b) / 2);
  return Math.trunc((1 - deviation) * MAX_NODE_SCORE);
}
