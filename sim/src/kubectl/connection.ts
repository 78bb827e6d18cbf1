/**
 * kubectl's end of its connection: each request says whom to act as, and the
 * warnings that answers bring are printed, each once a command.
 * Models: client-go/rest/warnings.go, client-go/tools/clientcmd
 *         (validation.go), cli-runtime/pkg/genericclioptions @ v1.36
 */
import type {
  ApiRequest,
  ApiResponse,
  Credentials,
  RawRequest,
  Transport,
} from "../api/transport.ts";
import { CommandError, type Environment } from "./environment.ts";

export function connected(
  env: Environment,
  argv: readonly string[],
): Environment {
  const impersonate = impersonateOf(argv);
  const { client } = env;
  const { transport } = client;
  const told = new Set<string>();
  const heard = <T extends object>(answer: T): T => {
    const { warnings = [] } = answer as Partial<ApiResponse>;
    for (const warning of warnings) {
      if (!told.has(warning)) env.err(`Warning: ${warning}`);
      told.add(warning);
    }
    return answer;
  };
  const sent = <T extends ApiRequest | RawRequest>(request: T): T => {
    if (!impersonate) return request;
    return { ...request, credentials: { ...request.credentials, impersonate } };
  };
  const listening: Transport = {
    request: (request) => transport.request(sent(request)).then(heard),
    watch: (request, handler) =>
      transport.watch(sent(request), handler).then(heard),
    raw: (request) => transport.raw!(sent(request)).then(heard),
  };
  return { ...env, client: client.over(listening) };
}

/** `--as` and its kin, wherever they stand in the line. */
function impersonateOf(argv: readonly string[]): Credentials["impersonate"] {
  const user = valuesOf(argv, "--as").at(-1) ?? "";
  const uid = valuesOf(argv, "--as-uid").at(-1) || undefined;
  const groups = valuesOf(argv, "--as-group");
  const extra: Record<string, string[]> = {};
  for (const pair of valuesOf(argv, "--as-user-extra")) {
    const [key = "", value] = pair.split(/=(.*)/s);
    if (value === undefined)
      throw new CommandError(`${pair} is not a key=value pair`);
    extra[key] = [...(extra[key] ?? []), value];
  }
  if (user) return { user, uid, groups, extra };
  if (!uid && groups.length === 0 && Object.keys(extra).length === 0) return;
  throw new CommandError(
    "invalid configuration: requesting uid, groups or user-extra for " +
      "kubernetes-admin without impersonating a user",
  );
}

function valuesOf(argv: readonly string[], flag: string): string[] {
  const dashes = argv.indexOf("--");
  const words = dashes < 0 ? argv : argv.slice(0, dashes);
  return words.flatMap((word, i) => {
    if (word === flag) return words.slice(i + 1, i + 2);
    return word.startsWith(`${flag}=`) ? [word.slice(flag.length + 1)] : [];
  });
}
