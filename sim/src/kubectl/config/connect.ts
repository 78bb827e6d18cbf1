/**
 * What the kubeconfig's context means for a command: where it goes, as whom,
 * and in which namespace.
 * Models:     client-go/tools/clientcmd/client_config.go @ v1.36
 */
import type { Credentials } from "../../api/transport.ts";
import { type Environment, PlainError } from "../environment.ts";
import { ADMIN_USER, configOf, type Kubeconfig, SERVER } from "./state.ts";

export interface Connection {
  /** Host and port of an address where no API server listens; else undefined. */
  readonly nowhere: string | undefined;
  /** Who asks, where it is not the administrator. */
  readonly credentials: Credentials | undefined;
  /** Of the context; "": none is named there. */
  readonly namespace: string;
}

/** `value` gives the last value of a flag that every command takes. */
export function connectionOf(
  env: Environment,
  value: (flag: string) => string | undefined,
): Connection {
  const config = configOf(env.kernel);
  const asked = value("--context");
  if (asked !== undefined && !Object.hasOwn(config.contexts, asked))
    throw new PlainError(
      `Error in configuration: context was not found for specified context: ${asked}`,
    );
  const context = config.contexts[asked ?? config["current-context"]] ?? {};
  const cluster = value("--cluster") ?? context.cluster ?? "";
  const server =
    value("--server") ??
    value("-s") ??
    config.clusters[cluster]?.server ??
    "http://localhost:8080";
  const user = value("--user") ?? context.user ?? "";
  return {
    nowhere: server === SERVER ? undefined : hostOf(server),
    credentials: credentialsOf(config, user, value("--token")),
    namespace: context.namespace ?? "",
  };
}

function hostOf(server: string): string {
  return server.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
}

/** Without a token or the administrator's certificate one is nobody. */
function credentialsOf(
  { users }: Kubeconfig,
  name: string,
  given: string | undefined,
): Credentials | undefined {
  const token = given ?? users[name]?.token;
  if (token) return { token };
  const isAdmin = users[name]?.["client-certificate"] !== undefined;
  return isAdmin && name === ADMIN_USER ? undefined : {};
}

/** The address in the context that is in use. */
export function serverOf({ kernel }: Environment): string {
  const config = configOf(kernel);
  const { cluster = "" } = config.contexts[config["current-context"]] ?? {};
  return config.clusters[cluster]?.server ?? "http://localhost:8080";
}
