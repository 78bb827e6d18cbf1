/**
 * A very small shell: enough of `sh -c` for the scripts that manifests hold.
 * It knows `;`, `&&`, `||`, `while`/`until` loops, and the commands sleep,
 * echo, exit, true, false, cat, touch, rm, test, date, dd, fallocate, and names
 * that resolve.
 * Leaves out: pipes, redirections, variables, quoting inside words.
 */
import { type Joined, parseScript, type Statement } from "./shell-parse.ts";

/** What a script may do to the world while it runs. */
export interface ShellWorld {
  /** `stderr` for what was sent there with `>&2`. */
  print(text: string, stream?: "stdout" | "stderr"): void;
  /** Bytes of the files that were made, by path. */
  readonly files: Map<string, number>;
  /** The time of day, for `date`. */
  date(): string;
  /** True if the name resolves: for nslookup, wget and their kin. */
  resolves(name: string): boolean;
}

class ShellExit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** Runs the script: yields ms to wait, ends with the exit code. */
export function* runScript(
  script: string,
  world: ShellWorld,
): Generator<number, number> {
  try {
    return yield* runAll(parseScript(script), world);
  } catch (exit) {
    if (exit instanceof ShellExit) return exit.code;
    throw exit;
  }
}

/** Runs a command given as its words. */
export function* runWords(
  all: readonly string[],
  world: ShellWorld,
): Generator<number, number> {
  const words = withoutPrefix(all);
  const [first = "", second, script] = words;
  const shell = /(^|\/)(ba|da|a)?sh$/.test(first);
  if (shell && /^-\w*c$/.test(second ?? "")) {
    return yield* runScript(script ?? "", world);
  }
  try {
    return yield* runCommand(words, world);
  } catch (exit) {
    if (exit instanceof ShellExit) return exit.code;
    throw exit;
  }
}

/** True if this shell can do what `words` ask for. */
export function knowsCommand(all: readonly string[]): boolean {
  const words = withoutPrefix(all);
  const name = words[0]?.split("/").at(-1) ?? "";
  return name in COMMANDS || /^(ba|da|a)?sh$/.test(name);
}

function* runAll(
  list: readonly Joined[],
  world: ShellWorld,
): Generator<number, number> {
  let code = 0;
  for (const { join, statement } of list) {
    if (join === "&&" && code !== 0) continue;
    if (join === "||" && code === 0) continue;
    code =
      statement.kind === "command"
        ? yield* runCommand(statement.words, world)
        : yield* runLoop(statement, world);
  }
  return code;
}

/** A loop that never waits would never end: each turn takes 1 ms at least. */
function* runLoop(
  loop: Statement & { kind: "loop" },
  world: ShellWorld,
): Generator<number, number> {
  let code = 0;
  for (;;) {
    const holds = (yield* runAll(loop.condition, world)) === 0;
    if (holds === loop.until) return code;
    yield 1;
    code = yield* runAll(loop.body, world);
  }
}

/** `exec` and `busybox` stand before the command that they run. */
function withoutPrefix(words: readonly string[]): readonly string[] {
  const name = words[0]?.split("/").at(-1);
  const prefix = name === "exec" || name === "busybox";
  return prefix ? withoutPrefix(words.slice(1)) : words;
}

function* runCommand(
  all: readonly string[],
  world: ShellWorld,
): Generator<number, number> {
  const words = withoutPrefix(all);
  const name = words[0]?.split("/").at(-1) ?? "";
  const args = words.slice(1);
  if (name === "sleep") {
    yield durationMs(args[0] ?? "0");
    return 0;
  }
  if (name === "exit") throw new ShellExit(Number(args[0] ?? 0) & 255);
  const command = COMMANDS[name];
  if (command) return command(args, world);
  world.print(`sh: ${name}: not found`, "stderr");
  return 127;
}

const paths = (args: readonly string[]) => args.filter((a) => a[0] !== "-");

const COMMANDS: Readonly<
  Record<string, (args: readonly string[], world: ShellWorld) => number>
> = {
  sleep: () => 0,
  exit: () => 0,
  true: () => 0,
  ":": () => 0,
  false: () => 1,
  set: () => 0,
  trap: () => 0,
  mkdir: () => 0,
  echo(args, world) {
    const toError = args.at(-1) === ">&2";
    const words = toError ? args.slice(0, -1) : args;
    world.print(words.join(" "), toError ? "stderr" : "stdout");
    return 0;
  },
  printf(args, world) {
    world.print((args[0] ?? "").replaceAll("\\n", ""));
    return 0;
  },
  date(_args, world) {
    world.print(world.date());
    return 0;
  },
  touch(args, world) {
    for (const path of paths(args)) {
      world.files.set(path, world.files.get(path) ?? 0);
    }
    return 0;
  },
  rm(args, world) {
    const all = paths(args).map((path) => world.files.delete(path));
    return all.every(Boolean) || args.some((arg) => /^-\w*f/.test(arg)) ? 0 : 1;
  },
  cat(args, world) {
    const missing = paths(args).find((path) => !world.files.has(path));
    if (missing === undefined) return 0;
    const problem = `cat: can't open '${missing}': No such file or directory`;
    world.print(problem, "stderr");
    return 1;
  },
  dd,
  fallocate,
  test: testFile,
  "[": testFile,
  ls: (args, world) => Number(paths(args).some((p) => !world.files.has(p))),
  nslookup: resolveAll,
  wget: resolveAll,
  curl: resolveAll,
};

/** `dd if=/dev/zero of=/cache/big bs=1M count=100` */
function dd(args: readonly string[], { files }: ShellWorld): number {
  const of = (key: string) =>
    args.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1);
  const path = of("of");
  if (path) files.set(path, sizeOf(of("bs") ?? "512") * Number(of("count")));
  return 0;
}

/** `fallocate -l 1G /cache/big` */
function fallocate(args: readonly string[], { files }: ShellWorld): number {
  const size = args[args.indexOf("-l") + 1] ?? "0";
  const path = args.at(-1);
  if (path) files.set(path, sizeOf(size));
  return 0;
}

/** `512`, `64K`, `1M`, `2Gi` in bytes. */
function sizeOf(text: string): number {
  const [, amount, unit = ""] = /^(\d+)([kKMG]?)i?B?$/.exec(text) ?? [];
  const power = ["", "K", "M", "G"].indexOf(unit.toUpperCase());
  return Number(amount ?? 0) * 1024 ** power;
}

function testFile(args: readonly string[], world: ShellWorld): number {
  const [flag, path = ""] = args;
  if (flag === "-f" || flag === "-e") return world.files.has(path) ? 0 : 1;
  return 0;
}

function resolveAll(args: readonly string[], world: ShellWorld): number {
  const names = paths(args).map((arg) => arg.replace(/^\w+:\/\//, ""));
  const hosts = names.map((name) => name.split(/[:/]/)[0]!);
  return hosts.every((host) => world.resolves(host)) ? 0 : 1;
}

/** `5`, `0.5`, `2m`, `1h`, `infinity` in ms. */
function durationMs(text: string): number {
  if (text === "infinity") return Number.MAX_SAFE_INTEGER;
  const unit = { s: 1, m: 60, h: 3600, d: 86400 }[text.at(-1) ?? ""] ?? 1;
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds * unit * 1000 : 0;
}
