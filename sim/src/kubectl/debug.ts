/**
 * kubectl debug: a container more in a running Pod, a changed copy of a Pod,
 * or a Pod on a Node, to look into them.
 * Models:     kubectl/pkg/cmd/debug/debug.go @ v1.36
 * Leaves out: a terminal: instead of it the container's log is shown.
 */
import { list, obj, str } from "../api/kinds/access.ts";
import type { Obj } from "../api/kinds/definition.ts";
import { Pod } from "../api/kinds/pod.ts";
import type { JsonObject } from "../api/types.ts";
import { parseArgs } from "./args.ts";
import { attached } from "./debug/attach.ts";
import { checkDebug, FLAGS } from "./debug/checks.ts";
import { readCustom } from "./debug/custom.ts";
import { copyOf, nodePod, withGuest } from "./debug/pods.ts";
import type { Setting } from "./debug/setting.ts";
import { type Command, CommandError, throwAll } from "./environment.ts";
import { find } from "./find.ts";
import { jsonOf, typed } from "./objects.ts";
import { nameSuffix } from "./suffix.ts";

export const debug: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  checkDebug(args, env);
  readCustom(args, env);
  const namespace = args.get("namespace") ?? "default";
  const setting = { args, env, namespace, suffix: nameSuffix(env) };
  const words = args.words.some((word) => word.includes("/"))
    ? args.words.map((word) => (word.includes("/") ? word : `pod/${word}`))
    : ["pod", ...args.words];
  const { items, errors } = await find(args, words, env, { verb: "debug" });
  throwAll(errors);
  for (const { kind, object } of items) {
    const made = await look(object, setting);
    if (!made) {
      const { group, version } = kind;
      throw new CommandError(
        `"${group}/${version}, Kind=${kind.kind}" not supported by debug`,
      );
    }
    const wanted = args.get("attach") ?? String(args.on("stdin"));
    if (wanted === "true" && made.container) await attached(made, setting);
  }
  return 0;
};

/** The Pod and the container to look from; undefined: not of such a kind. */
async function look(object: Obj, setting: Setting) {
  const { args, env, suffix } = setting;
  const { client } = env;
  const { name } = object.metadata;
  if (object.kind === "Node") {
    const own = `node-debugger-${name}-${suffix()}`;
    const container = args.get("container") || "debugger";
    if (!args.on("quiet"))
      env.out(
        `Creating debugging pod ${own} with container ${container} on node ${name}.`,
      );
    const pod = typed<Pod>(nodePod(name, own, setting));
    return { pod: await client.create(Pod, pod), container };
  }
  if (object.kind !== "Pod") return;
  return args.get("copy-to") ? copy(object, setting) : visit(object, setting);
}

async function visit(pod: Obj, setting: Setting) {
  const { name, namespace = "" } = pod.metadata;
  const container = nameFor(pod, setting);
  const spec = withGuest(pod, container, setting);
  const guest = list(spec.ephemeralContainers).at(-1)!;
  const body = { spec: { ephemeralContainers: [guest] } };
  const type = "application/strategic-merge-patch+json";
  const subresource = "ephemeralcontainers";
  const { client } = setting.env;
  const more = { subresource };
  const after = await client.patch(Pod, namespace, name, type, body, more);
  return { pod: after, container };
}

async function copy(pod: Obj, setting: Setting) {
  const { args, env } = setting;
  const { name, namespace = "" } = pod.metadata;
  const container = copiedName(pod, setting);
  const copied = typed<Pod>(copyOf(pod, container, setting));
  const after = await env.client.create(Pod, copied);
  const options = { gracePeriodSeconds: 0 };
  if (args.on("replace"))
    await env.client.delete(Pod, namespace, name, options);
  return { pod: after, container };
}

/** "": nothing but images is changed. */
function copiedName(pod: Obj, setting: Setting): string {
  const { args } = setting;
  const asked = args.get("container") ?? "";
  if (asked && names(pod).includes(asked)) return asked;
  const onlyImages = !args.get("image") && args.get("set-image");
  return onlyImages ? "" : nameFor(pod, setting);
}

/** The name that was asked for, or one that is free. */
function nameFor(pod: Obj, { args, env, suffix }: Setting): string {
  const asked = args.get("container");
  if (asked) return asked;
  const taken = names(pod);
  let name = "";
  do name = `debugger-${suffix()}`;
  while (taken.includes(name));
  if (!args.on("quiet")) env.out(`Defaulting debug container name to ${name}.`);
  return name;
}

function names(pod: Obj): string[] {
  const spec: JsonObject = obj(jsonOf(pod).spec);
  const { containers, initContainers, ephemeralContainers } = spec;
  return [containers, initContainers, ephemeralContainers]
    .flatMap((some) => list(some))
    .map(({ name }) => str(name));
}
