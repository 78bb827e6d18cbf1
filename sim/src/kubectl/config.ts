/**
 * kubectl config: the kubeconfig of the run, a command a file or so.
 * Models:     kubectl/pkg/cmd/config/config.go @ v1.36
 */
import {
  deleteCluster,
  deleteContext,
  deleteUser,
  renameContext,
  setCluster,
  setContext,
  setCredentials,
  useContext,
} from "./config/change.ts";
import { setProperty, unsetProperty } from "./config/property.ts";
import {
  currentContext,
  getClusters,
  getContexts,
  getUsers,
  view,
} from "./config/view.ts";
import type { Command } from "./environment.ts";
import { unknownIn } from "./usage.ts";

const COMMANDS: { readonly [name: string]: Command } = {
  "current-context": currentContext,
  "delete-cluster": deleteCluster,
  "delete-context": deleteContext,
  "delete-user": deleteUser,
  "get-clusters": getClusters,
  "get-contexts": getContexts,
  "get-users": getUsers,
  "rename-context": renameContext,
  set: setProperty,
  "set-cluster": setCluster,
  "set-context": setContext,
  "set-credentials": setCredentials,
  unset: unsetProperty,
  use: useContext,
  "use-context": useContext,
  view,
};

export const config: Command = async (argv, env) => {
  const [name = "", ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw unknownIn("config", argv);
  return command(rest, env);
};
