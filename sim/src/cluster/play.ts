/**
 * Does what an input of a run says: commands of kubectl and crictl, faults,
 * connections. What commands print is told to the session's host.
 */
import type { Cluster } from "../cluster.ts";
import { runKubectl } from "../kubectl/kubectl.ts";
import type { Problem } from "../kubectl/problem.ts";
import type { ConnectInput, CrictlInput, Input } from "../scenario.ts";
import type { SessionOptions } from "../session.ts";
import { crictlOn } from "./crictl.ts";
import { ADMIN } from "./identities.ts";

export function play(
  input: Input,
  cluster: Cluster,
  options: SessionOptions,
): void {
  const { kernel } = cluster;
  kernel.causeId = kernel.record(
    "you",
    "input",
    describeInput(input),
    "",
    input,
  );
  switch (input.do) {
    case "apply":
      command(cluster, options, ["apply", "-f", "-"], input.yaml);
      break;
    case "kubectl":
      command(cluster, options, splitLine(input.line), input.stdin ?? "");
      break;
    case "crictl":
      crictl(cluster, options, input);
      break;
    case "stop":
      cluster.stop(input.actor);
      break;
    case "shutdown":
      cluster.shutDown(input.actor);
      break;
    case "start":
      cluster.startAgain(input.actor);
      break;
    case "partition":
      kernel.faults.partition(...input.between);
      break;
    case "heal":
      kernel.faults.heal(...input.between);
      break;
    case "slow":
      kernel.faults.slowDown(input.actor, input.extraMs);
      break;
    case "connect":
      connect(input, cluster, options);
  }
}

function command(
  cluster: Cluster,
  options: SessionOptions,
  argv: string[],
  stdin: string,
): void {
  const { kernel } = cluster;
  const print = (text: string, isError: boolean, problem?: Problem) => {
    if (text) kernel.record("kubectl", "log", text);
    const atMs = kernel.now();
    options.onOutput?.({ atMs, from: "kubectl", text, isError, problem });
  };
  kernel.spawn("kubectl", async () => {
    await runKubectl(argv, {
      kernel,
      client: cluster.client("kubectl", ADMIN),
      kinds: cluster.discovered,
      files: { "-": stdin },
      editor: options.editor,
      out: (text) => print(text, false),
      err: (text) => print(text, true),
      problem: (problem) => print("", true, problem),
    });
  });
}

/** Asks the runtime of a node. */
function crictl(
  { kernel, hosts }: Cluster,
  { onOutput }: SessionOptions,
  { node, line }: CrictlInput,
): void {
  const print = (isError: boolean) => (text: string) => {
    kernel.record("crictl", "log", text);
    onOutput?.({ atMs: kernel.now(), from: "crictl", text, isError });
  };
  const host = hosts.find(({ name }) => name === node);
  if (!host) return print(true)(`there is no node ${node}`);
  kernel.spawn(`crictl/${node}`, async () => {
    await crictlOn(kernel, host, splitLine(line), print(false), print(true));
  });
}

/** Sends packets through the cluster, and prints what came of it. */
function connect(
  input: ConnectInput,
  cluster: Cluster,
  { onOutput }: SessionOptions,
): void {
  const { kernel } = cluster;
  kernel.spawn("network", async () => {
    const result = await cluster.traffic.connect(input);
    const { text, ok } = result;
    const to = `${input.from} > ${input.to}`;
    kernel.record("network", "log", `${to}: ${text}`, "", result);
    const atMs = kernel.now();
    onOutput?.({ atMs, from: input.from, text, isError: !ok });
  });
}

/** Splits a command line at spaces, minding quotes. */
export function splitLine(line: string): string[] {
  const words = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function describeInput(input: Input): string {
  switch (input.do) {
    case "apply":
      return "kubectl apply -f -";
    case "kubectl":
      return `kubectl ${input.line}`;
    case "crictl":
      return `crictl ${input.line}`;
    case "partition":
    case "heal":
      return `${input.do} ${input.between.join(" | ")}`;
    case "connect":
      return `${input.from} connects to ${input.to}`;
    case "slow":
      return `slow ${input.actor} ${input.extraMs} ms`;
    default:
      return `${input.do} ${input.actor}`;
  }
}
