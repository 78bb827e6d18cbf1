/**
 * Reads the manifest of a static Pod as the kubelet does: without an API
 * server, but with the same defaults.
 * Models: pkg/kubelet/config/common.go tryDecodeSinglePod @ v1.36
 */
import { newKinds } from "../api/kinds/index.ts";
import { Pod } from "../api/kinds/pod.ts";
import type { Kinds } from "../api/kinds/registry.ts";
import { parseManifests } from "../api/yaml.ts";

let kinds: Kinds | undefined;

/** Throws if the text is no Pod. */
export function readPodManifest(text: string): Pod {
  const { documents, errors } = parseManifests(text);
  const [error] = errors;
  if (error) throw new Error(error.message);
  const [document] = documents;
  if (!document) throw new Error("no object in the manifest");
  kinds ??= newKinds();
  const { object } = kinds.codec.decode(Pod.struct, document.value);
  if (!isPod(object)) throw new Error(`${object.kind} is not a Pod`);
  return object;
}

/** Decoding has checked all fields. */
function isPod(object: object): object is Pod {
  return "kind" in object && object.kind === "Pod";
}
