/**
 * The Pods that `kubectl debug` makes or changes.
 * Models:     kubectl/pkg/cmd/debug/debug.go (generateDebugContainer,
 *             generatePodCopyWithDebugContainer, generateNodeDebugPod) @ v1.36
 */
import { list, obj, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { JsonObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError } from "../environment.ts";
import { DEFAULT_PROFILE, pairs } from "./checks.ts";
import { customized } from "./custom.ts";
import { type Style, withContainer, withProfile } from "./profiles.ts";
import type { Setting } from "./setting.ts";

/** The running Pod's spec with one container more. */
export function withGuest(
  pod: Obj,
  name: string,
  setting: Setting,
): JsonObject {
  const { args } = setting;
  const target = args.get("target");
  const guest = {
    ...newContainer(name, args),
    ...(target ? { targetContainerName: target } : {}),
  };
  const spec = obj(pod.spec);
  const ephemeralContainers = [...list(spec.ephemeralContainers), guest];
  return finished({ ...spec, ephemeralContainers }, name, "guest", setting);
}

/** A Pod that stays on the Node and sees its files, processes and networks. */
export function nodePod(node: string, name: string, setting: Setting): Obj {
  const { args, namespace } = setting;
  const its = args.get("container") || "debugger";
  const spec = {
    containers: [newContainer(its, args)],
    nodeName: node,
    restartPolicy: "Never",
    tolerations: [{ operator: "Exists" }],
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: finished(spec, its, "node", setting),
  };
}

function newContainer(name: string, args: Args): JsonObject {
  return {
    name,
    ...optional("env", variables(args)),
    image: args.get("image") ?? "",
    ...optional("imagePullPolicy", args.get("image-pull-policy")),
    ...(args.on("stdin") ? { stdin: true } : {}),
    terminationMessagePolicy: "File",
    ...(args.on("tty") ? { tty: true } : {}),
    ...(args.rest.length > 0 ? { [commandField(args)]: args.rest } : {}),
  };
}

function commandField(args: Args): "args" | "command" {
  return args.on("arguments-only") ? "args" : "command";
}

function variables(args: Args): JsonObject[] | undefined {
  const env = [...pairs(args, "env")];
  if (env.length === 0) return;
  return env.map(([name, value]) => (value ? { name, value } : { name }));
}

function optional(name: string, value: unknown): JsonObject {
  return value === undefined || value === "" ? {} : { [name]: value as never };
}

function finished(
  spec: JsonObject,
  container: string,
  style: Style,
  { args, env }: Setting,
): JsonObject {
  const profile = args.get("profile") ?? DEFAULT_PROFILE;
  const allowed = withProfile(spec, profile, container, style);
  return customized(allowed, container, args, env);
}

/** `name` is of the container that is new or changed; "": only images are. */
export function copyOf(pod: Obj, name: string, setting: Setting): Obj {
  const { args } = setting;
  const { namespace, labels, annotations } = pod.metadata;
  const { ephemeralContainers: _, nodeName, ...rest } = obj(pod.spec);
  const shared = args.get("share-processes");
  const spec: JsonObject = {
    ...rest,
    ...(shared === undefined
      ? {}
      : { shareProcessNamespace: args.on("share-processes") }),
    ...(args.on("same-node") && nodeName ? { nodeName } : {}),
    containers: withImages(list(rest.containers), args),
  };
  const metadata = { name: args.get("copy-to")!, namespace };
  const kept = { ...metadata, labels, annotations };
  const base = { apiVersion: "v1", kind: "Pod" };
  if (name === "") return { ...base, metadata: kept, spec } as Obj;
  const slim = withoutParts(withDebugger(spec, name, args), args);
  return {
    ...base,
    metadata: {
      ...metadata,
      ...(keeps(args, "labels") && labels ? { labels } : {}),
      ...(keeps(args, "annotations") && annotations ? { annotations } : {}),
    },
    spec: finished(slim, name, "copy", setting),
  };
}

/** The old profile keeps all but the labels, whatever the flags say. */
function keeps(args: Args, part: string): boolean {
  if (args.get("profile") === "legacy") return part !== "labels";
  if (part === "init-containers")
    return args.get("keep-init-containers") !== "false";
  return args.on(`keep-${part}`);
}

function withoutParts(spec: JsonObject, args: Args): JsonObject {
  const gone = ["liveness", "readiness", "startup"]
    .filter((part) => !keeps(args, part))
    .map((part) => `${part}Probe`);
  const containers = list(spec.containers).map((container) => {
    const kept = Object.entries(container).filter(([k]) => !gone.includes(k));
    return Object.fromEntries(kept) as JsonObject;
  });
  const { initContainers, ...rest } = spec;
  const init =
    initContainers && keeps(args, "init-containers") ? { initContainers } : {};
  return { ...rest, ...init, containers };
}

function withImages(containers: readonly JsonObject[], args: Args) {
  const images = pairs(args, "set-image");
  return containers.map((container) => {
    const image = images.get(str(container.name)) ?? images.get("*");
    return image ? { ...container, image } : container;
  });
}

/** A container more, or one of the Pod's own with what the flags say. */
function withDebugger(spec: JsonObject, name: string, args: Args): JsonObject {
  const all = [...list(spec.containers), ...list(spec.initContainers)];
  if (!all.some((one) => one.name === name)) {
    if (!args.get("image"))
      throw new CommandError(
        "you must specify image when creating new container",
      );
    const added = newContainer(name, args);
    return { ...spec, containers: [...list(spec.containers), added] };
  }
  return withContainer(spec, name, (container) => {
    const { command, args: own, stdin: _, tty: _t, ...rest } = container;
    const said = args.rest.length > 0;
    const kept =
      said && !args.on("arguments-only") ? {} : optional("args", own);
    return {
      ...rest,
      ...optional("command", command),
      ...kept,
      ...optional("env", variables(args)),
      ...optional("image", args.get("image")),
      ...optional("imagePullPolicy", args.get("image-pull-policy")),
      ...(args.on("stdin") ? { stdin: true } : {}),
      ...(args.on("tty") ? { tty: true } : {}),
      ...(said ? { [commandField(args)]: args.rest } : {}),
    };
  });
}
