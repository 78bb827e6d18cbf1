/**
 * YAML as kubectl reads and writes it.
 * Models:     sigs.k8s.io/yaml, apimachinery/pkg/util/yaml @ v1.36
 */
export type {
  Manifests,
  ParseError,
  Path,
  Position,
  YamlDocument,
} from "./yaml/documents.ts";
export { parseManifests } from "./yaml/documents.ts";
export type { YamlErrorCode, YamlParams } from "./yaml/error.ts";
export { stringifyKyaml } from "./yaml/kyaml.ts";
export { stringify } from "./yaml/stringify.ts";
