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
import { ConnectionError } from "../api/transport.ts";
import { CONTEXT_NAMESPACE } from "./args.ts";
import { connectionOf } from "./config/connect.ts";
import { CommandError, type Environment } from "./environment.ts";

export function connected(
  env: Environment,
  argv: readonly string[],
): Environment {
  const impersonate = impersonateOf(argv);
  checkTimeout(valuesOf(argv, "--request-timeout").at(-1));
  const { nowhere, credentials } = connectionOf(env, valueIn(argv));
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
    if (nowhere)
      throw new ConnectionError(
        nowhere,
        `dial tcp ${nowhere}: connect: connection refused`,
      );
    if (!impersonate && !credentials) return request;
    const own = credentials ?? request.credentials;
    return {
      ...request,
      credentials: impersonate ? { ...own, impersonate } : own,
    };
  };
  const listening: Transport = {
    request: async (request) => heard(await transport.request(sent(request))),
    watch: async (request, handler) =>
      heard(await transport.watch(sent(request), handler)),
    raw: async (request) => heard(await transport.raw!(sent(request))),
  };
  return { ...env, client: client.over(listening) };
}

/** The words with the context's namespace, where they name none. */
export function inContext(
  env: Environment,
  argv: readonly string[],
): readonly string[] {
  if (argv[0] === "set-context" || argv[0] === "view") return argv;
  const { namespace } = connectionOf(env, valueIn(argv));
  if (namespace === "") return argv;
  const dashes = argv.indexOf("--");
  const end = dashes < 0 ? argv.length : dashes;
  const flag = `--${CONTEXT_NAMESPACE}=${namespace}`;
  return [...argv.slice(0, end), flag, ...argv.slice(end)];
}

function checkTimeout(text = "0"): void {
  if (/^(\d+|(\d+(\.\d*)?(ns|us|ms|s|m|h))+)$/.test(text)) return;
  throw new CommandError(
    "Invalid timeout value. Timeout must be a single integer in seconds, or " +
      "an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)",
  );
}

/** Commands whose own flags `--user` and the like mean something else. */
const OWN_FLAGS = ["clusterrolebinding", "config", "rolebinding", "subject"];

function valueIn(argv: readonly string[]) {
  const shadowed = argv.some((word) => OWN_FLAGS.includes(word));
  return (flag: string): string | undefined => {
    if (shadowed && flag !== "--context") return;
    return valuesOf(argv, flag).at(-1);
  };
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
