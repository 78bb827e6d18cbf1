/**
 * Labels by which the kubelet finds its own again in the runtime, even after
 * it lost its memory.
 * Models:     pkg/kubelet/kuberuntime/labels.go @ v1.36 (the hash and the
 *             restart count are annotations there)
 */
import { fnv1aText } from "../../api/hash.ts";
import type { Container, Pod } from "../../api/kinds/pod.ts";

export const LABEL = {
  podName: "io.kubernetes.pod.name",
  podNamespace: "io.kubernetes.pod.namespace",
  podUid: "io.kubernetes.pod.uid",
  containerName: "io.kubernetes.container.name",
  containerHash: "io.kubernetes.container.hash",
} as const;

export function sandboxLabels(pod: Pod): Record<string, string> {
  const { name, namespace = "", uid = "", labels } = pod.metadata;
  return {
    ...labels,
    [LABEL.podName]: name,
    [LABEL.podNamespace]: namespace,
    [LABEL.podUid]: uid,
  };
}

export function containerLabels(
  pod: Pod,
  container: Container,
): Record<string, string> {
  const { name, namespace = "", uid = "" } = pod.metadata;
  return {
    [LABEL.podName]: name,
    [LABEL.podNamespace]: namespace,
    [LABEL.podUid]: uid,
    [LABEL.containerName]: container.name,
    [LABEL.containerHash]: containerHash(container),
  };
}

/** Changes when what may change of a running container changes: its image. */
export function containerHash({ name, image = "" }: Container): string {
  return fnv1aText(`${name} ${image}`).toString(16);
}
