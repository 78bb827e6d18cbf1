/**
 * Static Pods: manifests in a folder of the node. The kubelet runs them
 * without being told by anyone, and puts a mirror of each into the API so
 * that they can be seen there.
 * Models:     pkg/kubelet/config/file.go, pkg/kubelet/pod/mirror_client.go @ v1.36
 * Leaves out: watching the folder; manifests from a URL.
 */
import { fnv1aText } from "../api/hash.ts";
import { Pod } from "../api/kinds/pod.ts";
import { isAlreadyExists } from "../api/status.ts";
import type { ComponentContext } from "../client/component.ts";
import type { KubeletOptions } from "./options.ts";
import { messageOf } from "./runtime/context.ts";

const FOLDER = "/etc/kubernetes/manifests";

/** Hands over every Pod of the folder. */
export function startStaticPods(
  context: ComponentContext,
  options: KubeletOptions,
  add: (pod: Pod) => void,
): void {
  const { disk, parseManifest } = options;
  if (!disk || !parseManifest) return;
  for (const name of disk.list(FOLDER)) {
    const text = disk.read(`${FOLDER}/${name}`) ?? "";
    try {
      add(staticPod(options, parseManifest(text), text));
    } catch (error) {
      const { kernel, actor } = context;
      const message = messageOf(error);
      kernel.record(actor, "error", `manifest ${name}`, "", { message });
    }
  }
}

/** Name and uid come from the node and the file, so they stay the same. */
function staticPod(options: KubeletOptions, pod: Pod, text: string): Pod {
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
        "kubernetes.io/config.source": "file",
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

/** Creates the mirror unless it is there. */
export async function mirrorPod(
  { client, kernel, actor }: ComponentContext,
  { node }: KubeletOptions,
  pod: Pod,
): Promise<void> {
  const { uid, annotations, ...metadata } = pod.metadata;
  const hash = annotations?.["kubernetes.io/config.hash"] ?? "";
  const owner = { apiVersion: "v1", kind: "Node", name: node.name };
  const mirror: Pod = {
    ...pod,
    metadata: {
      ...metadata,
      annotations: { ...annotations, "kubernetes.io/config.mirror": hash },
      ownerReferences: [{ ...owner, uid: node.name, controller: true }],
    },
  };
  try {
    await client.create(Pod, mirror);
  } catch (error) {
    if (isAlreadyExists(error)) return;
    const message = messageOf(error);
    kernel.record(actor, "error", `mirror ${metadata.name}`, "", { message });
  }
}
