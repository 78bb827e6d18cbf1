/**
 * kubectl create secret generic, tls, docker-registry.
 * Models:     kubectl/pkg/cmd/create/create_secret{,_tls,_docker}.go @ v1.36
 * Leaves out: whether a key belongs to its certificate.
 */
import { toBase64 } from "../../api/base64.ts";
import { goJson } from "../../api/go-text.ts";
import { type Args, flags } from "../args.ts";
import {
  CommandError,
  type Environment,
  PlainError,
  wrongUse,
} from "../environment.ts";
import { DATA, dataOf, forSecret } from "./data.ts";
import { type Generator, made } from "./generator.ts";
import { hashed } from "./hash.ts";

const FAILURE = "failed to create secret ";

const createSecret: Generator = {
  flags: flags(`${DATA} type:value append-hash`),
  failure: FAILURE,
  make: (name, args, env) =>
    secret(name, dataOf(args, env, forSecret), args.get("type"), args),
};

function secret(
  name: string,
  plain: { readonly [key: string]: string },
  type: string | undefined,
  args: Args,
) {
  const entries = Object.entries(plain);
  const coded = entries.map(([key, text]) => [key, toBase64(text)]);
  const data = Object.fromEntries(coded) as { [key: string]: string };
  const more = { type: type ?? "" };
  const its = args.on("append-hash")
    ? hashed(name, "Secret", data, more)
    : name;
  return made("v1", "Secret", its, {
    ...(entries.length > 0 ? { data } : {}),
    ...(type ? { type } : {}),
  });
}

const createTls: Generator = {
  flags: flags("cert:value key:value append-hash"),
  failure: FAILURE,
  make(name, args, env) {
    const [cert, key] = [args.get("cert"), args.get("key")];
    if (!cert || !key) throw new CommandError("key and cert must be specified");
    const crt = pem(cert, "certificate", env);
    const data = { "tls.crt": crt, "tls.key": pem(key, "key", env) };
    return secret(name, data, "kubernetes.io/tls", args);
  },
};

function pem(path: string, what: string, { files }: Environment): string {
  const text = files[path];
  if (text === undefined)
    throw new CommandError(
      `Cannot read file ${path}, open ${path}: no such file or directory`,
    );
  if (/^-----BEGIN [^\n]+-----$[^-]+^-----END /m.test(text)) return text;
  throw new CommandError(`tls: failed to find any PEM data in ${what} input`);
}

const DOCKER_KEY = ".dockerconfigjson";

const createDockerRegistry: Generator = {
  flags: flags(
    "docker-username:value docker-password:value docker-email:value " +
      "docker-server:value from-file:value append-hash",
  ),
  failure: FAILURE,
  make(name, args, env) {
    const fromFile = args.all("from-file").length > 0;
    const data = fromFile
      ? dockerFiles(args, env)
      : { [DOCKER_KEY]: dockerConfig(args) };
    return secret(name, data, "kubernetes.io/dockerconfigjson", args);
  },
};

/** A file without a key of its own is the configuration. */
function dockerFiles(args: Args, env: Environment) {
  const all = (name: string) =>
    args
      .all(name)
      .map((source) =>
        source.includes("=") ? source : `${DOCKER_KEY}=${source}`,
      );
  return dataOf({ ...args, all }, env, forSecret);
}

function dockerConfig(args: Args): string {
  const server = args.get("docker-server") ?? "https://index.docker.io/v1/";
  const username = args.get("docker-username");
  const password = args.get("docker-password");
  if (!server || !username || !password)
    throw new CommandError(
      "either --from-file or the combination of --docker-username, " +
        "--docker-password and --docker-server is required",
    );
  const email = args.get("docker-email");
  const auth = toBase64(`${username}:${password}`);
  const entry = { username, password, ...(email ? { email } : {}), auth };
  return goJson({ auths: { [server]: entry } });
}

const HELP = `Create a secret with specified type.

 A docker-registry type secret is for accessing a container registry.

 A generic type secret indicate an Opaque secret type.

 A tls type secret holds TLS certificate and its associated key.

Available Commands:
  docker-registry   Create a secret for use with a Docker registry
  generic           Create a secret from a local file, directory, or literal value
  tls               Create a TLS secret

Usage:
  kubectl create secret (docker-registry | generic | tls) [options]

Use "kubectl create secret <command> --help" for more information about a given command.
Use "kubectl options" for a list of global command-line options (applies to all commands).`;

const TYPES: { readonly [type: string]: Generator } = {
  "docker-registry": createDockerRegistry,
  generic: createSecret,
  tls: createTls,
};

/** The generator of a type of Secret. */
export function createSecretOf(words: readonly string[]): Generator {
  const [type] = words;
  if (type === undefined) throw new PlainError(HELP);
  const own = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (own) return own;
  throw wrongUse("create secret", `unknown command "${words.join(" ")}"`);
}
