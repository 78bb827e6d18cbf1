/**
 * Static Pods: manifests in a folder of the node. The kubelet runs them
 * without being told by anyone, and puts a mirror of each into the API so
 * that they can be seen there.
 * Models:     pkg/kubelet/config/file.go, pkg/kubelet/pod/mirror_client.go @ v1.36
 *             (from a URL: static-pods-url.ts)
 */
import { fnv1aText } from "../api/hash.ts";
import { Node } from "../api/kinds/node.ts";
import { Pod } from "../api/kinds/pod.ts";
import { isAlreadyExists, isNotFound } from "../api/status.ts";
import type { ComponentContext } from "../client/component.ts";
import { mirroredUid } from "./containers.ts";
import type { KubeletOptions } from "./options.ts";
import { messageOf } from "./runtime/context.ts";

const FOLDER = "/etc/kubernetes/manifests";

/** What the kubelet does with the Pods of its folder. */
export interface StaticPodSink {
  add(pod: Pod): void;
  remove(pod: Pod): void;
}

/**
 * Hands over every Pod of the folder, now and whenever a file changes; a
 * changed file is another Pod, since its uid comes from the text. Returns how
 * to end it.
 */
export function startStaticPods(
  context: ComponentContext,
  options: KubeletOptions,
  sink: StaticPodSink,
): () => void {
  const { disk, parseManifest } = options;
  if (!disk || !parseManifest) return () => {};
  const tell = telling(sink);
  const read = () => {
    const found: Pod[] = [];
    for (const name of disk.list(FOLDER)) {
      const text = disk.read(`${FOLDER}/${name}`) ?? "";
      const pod = readOne(context, options, parseManifest, name, text);
      if (pod) found.push(pod);
    }
    tell(found);
  };
  read();
  return disk.watch(FOLDER, read);
}

/** Takes all Pods of a source; tells of those that are new or gone. */
export function telling(sink: StaticPodSink): (pods: readonly Pod[]) => void {
  let known = new Map<string, Pod>();
  return (pods) => {
    const found = new Map(pods.map((pod) => [pod.metadata.uid ?? "", pod]));
    const before = known;
    known = found;
    for (const [uid, pod] of before) if (!found.has(uid)) sink.remove(pod);
    for (const [uid, pod] of found) if (!before.has(uid)) sink.add(pod);
  };
}

function readOne(
  { kernel, actor }: ComponentContext,
  options: KubeletOptions,
  parse: NonNullable<KubeletOptions["parseManifest"]>,
  name: string,
  text: string,
): Pod | undefined {
  try {
    return staticPod(options, parse(text), text, "file");
  } catch (error) {
    const message = messageOf(error);
    kernel.record(actor, "error", `manifest ${name}`, "", { message });
    return undefined;
  }
}

/** Name and uid come from the node and the text, so they stay the same. */
export function staticPod(
  options: KubeletOptions,
  pod: Pod,
  text: string,
  source: "file" | "http",
): Pod {
  const { name: nodeName } = options.node;
  const hash = hashOf(`${nodeName} ${text}`);
  const { name, namespace = "default", annotations } = pod.metadata;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: `${name}-${nodeName}`,
      namespace,
      uid: hash,
      annotations: {
        ...annotations,
        "kubernetes.io/config.hash": hash,
        "kubernetes.io/config.source": source,
      },
    },
    spec: {
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      ...pod.spec,
      nodeName,
    },
  };
}

/** 32 hexadecimal digits. */
function hashOf(text: string): string {
  const part = (i: number) => fnv1aText(`${i} ${text}`) >>> 0;
  return [0, 1, 2, 3]
    .map((i) => part(i).toString(16).padStart(8, "0"))
    .join("");
}

/**
 * Creates the mirror unless it is there. One that somebody deletes, or that
 * shows an older file, makes way for a new one: the Pod itself runs on.
 * False if that failed, or if the Node, its owner, is not there yet.
 */
export async function mirrorPod(
  context: ComponentContext,
  { node }: KubeletOptions,
  pod: Pod,
  known: Pod | undefined,
): Promise<boolean> {
  const { client, kernel, actor, informers } = context;
  const fieldSelector = `metadata.name=${node.name}`;
  const self = informers.informer(Node, { fieldSelector }).get(node.name);
  if (!self) return false;
  const { uid, annotations, ...metadata } = pod.metadata;
  const hash = annotations?.["kubernetes.io/config.hash"] ?? "";
  if (known) {
    const current = mirroredUid(known) === hash;
    if (current && !known.metadata.deletionTimestamp) return true;
    await deleteMirror(context, known);
  }
  const owner = { apiVersion: "v1", kind: "Node", name: node.name };
  const mirror: Pod = {
    ...pod,
    metadata: {
      ...metadata,
      annotations: { ...annotations, "kubernetes.io/config.mirror": hash },
      ownerReferences: [
        { ...owner, uid: self.metadata.uid ?? "", controller: true },
      ],
    },
  };
  try {
    await client.create(Pod, mirror);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return true;
    const message = messageOf(error);
    kernel.record(actor, "error", `mirror ${metadata.name}`, "", { message });
    return false;
  }
}

/** At once: nothing runs for a mirror. */
export async function deleteMirror(
  { client, kernel, actor }: ComponentContext,
  { metadata }: Pod,
): Promise<void> {
  const { namespace = "", name, uid } = metadata;
  const options = { gracePeriodSeconds: 0, preconditions: { uid } };
  try {
    await client.delete(Pod, namespace, name, options);
  } catch (error) {
    if (isNotFound(error)) return;
    const message = messageOf(error);
    kernel.record(actor, "error", `mirror ${name}`, "", { message });
  }
}
