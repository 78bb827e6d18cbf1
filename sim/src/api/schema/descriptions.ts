/**
 * What the server says of a field in OpenAPI, to the letter where clients
 * show it: `kubectl explain`. Fields that are not here are described by the
 * documentation alone; 300 kB of text would not fit beside the simulator.
 * Models: the comments of staging/src/k8s.io/api @ v1.36
 */
import { enumOf } from "./enums.ts";

const texts: { readonly [field: string]: string } = {
  "PodSpec.restartPolicy":
    "Restart policy for all containers within the pod. One of Always, " +
    "OnFailure, Never. In some contexts, only a subset of those values may " +
    "be permitted. Default to Always. More info: https://kubernetes.io/docs/" +
    "concepts/workloads/pods/pod-lifecycle/#restart-policy",
};

/** Undefined if there is nothing to say. An enum lists its values. */
export function describeField(
  struct: string,
  field: string,
): string | undefined {
  const text = texts[`${struct}.${field}`];
  const values = enumOf(struct, field);
  if (!values) return text;
  const listed = values.map((value) => ` - \`"${value}"\``).join("\n");
  return `${text ? `${text}\n\n` : ""}Possible enum values:\n${listed}`;
}
