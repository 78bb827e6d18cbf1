/**
 * The command that a wrong flag belongs to: `kubectl create secret tls`.
 * Models:     spf13/cobra (CommandPath), as kubectl's commands are nested
 */
import { parseArgs } from "./args.ts";
import { fullName, GENERATORS } from "./create/generators.ts";
import { type CommandError, wrongUse } from "./environment.ts";

const NESTED: { readonly [command: string]: readonly string[] } = {
  apply: ["edit-last-applied", "set-last-applied", "view-last-applied"],
  auth: ["can-i", "reconcile", "whoami"],
  certificate: ["approve", "deny"],
  "cluster-info": ["dump"],
  config: [
    ...["current-context", "delete-cluster", "delete-context", "delete-user"],
    ...["get-clusters", "get-contexts", "get-users", "rename-context", "set"],
    ...["set-cluster", "set-context", "set-credentials", "unset"],
    ...["use-context", "view"],
  ],
  "create secret": ["docker-registry", "generic", "tls"],
  "create service": ["clusterip", "externalname", "loadbalancer", "nodeport"],
  rollout: ["history", "pause", "restart", "resume", "status", "undo"],
  set: ["env", "image", "resources", "selector", "serviceaccount", "subject"],
  top: ["node", "pod"],
};

const ALIASES: { readonly [word: string]: string } = {
  no: "node",
  nodes: "node",
  po: "pod",
  pods: "pod",
  sa: "serviceaccount",
  svc: "service",
};

/** `create` with the words after it; the path ends where a word is no command. */
export function commandPath(name: string, argv: readonly string[]): string {
  const words = argv.filter((word) => !word.startsWith("-"));
  let path = name;
  for (const word of words) {
    const next = nestedIn(path, word);
    if (next === undefined) return path;
    path = `${path} ${next}`;
  }
  return path;
}

/** What is said where the words after `rollout` name no command of it. */
export function unknownIn(
  command: string,
  argv: readonly string[],
): CommandError {
  const { words } = parseArgs(argv, {});
  return wrongUse(command, `unknown command "${words.join(" ")}"`);
}

function nestedIn(path: string, word: string): string | undefined {
  const own = Object.hasOwn(ALIASES, word) ? ALIASES[word]! : word;
  if (path === "create") {
    if (Object.hasOwn(GENERATORS, word)) return fullName(word);
    return /^(secret|service|token)$/.test(own) ? own : undefined;
  }
  return NESTED[path]?.includes(own) ? own : undefined;
}
