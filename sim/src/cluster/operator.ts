/**
 * The scenario's operator: a process of its own beside the controller manager.
 * Leaves out: a ServiceAccount and its roles; it may do what an administrator may.
 */
import { startOperator } from "../operators/website.ts";
import { ADMIN } from "./identities.ts";
import type { ProcessOptions } from "./process.ts";

export function operatorAddon(): Omit<ProcessOptions, "kernel" | "connect"> {
  return {
    actor: "website-operator",
    credentials: () => ADMIN,
    start: (contextFor) => startOperator(contextFor()),
  };
}
