/**
 * Containers that join a running Pod, to look into it: `kubectl debug`.
 * Models: pkg/registry/core/pod/strategy.go (podEphemeralContainersStrategy),
 *         ValidatePodEphemeralContainersUpdate in
 *         pkg/apis/core/validation/validation.go @ v1.36
 * Leaves out: the difference to one that may not be changed any more.
 */

import { type FieldError, forbidden, notFoundField } from "../field-error.ts";
import { quote } from "../go-text.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, same, str } from "./access.ts";
import { containersErrors, type PodNames } from "./container-validation.ts";
import type { Change, Obj } from "./definition.ts";

const PATH = "spec.ephemeralContainers";

/** What such a container cannot have: it is a guest. */
const REFUSED = [
  ...["ports", "resources", "resizePolicy", "restartPolicy", "lifecycle"],
  ...["restartPolicyRules", "livenessProbe", "readinessProbe", "startupProbe"],
];

export const ephemeralChange: Change = {
  /** All but these containers stays as it was. */
  prepare(pod, old) {
    const { ephemeralContainers } = obj(pod.spec);
    const before = obj(old.spec);
    if (same(ephemeralContainers ?? [], before.ephemeralContainers ?? []))
      return old;
    const spec = { ...before, ephemeralContainers: ephemeralContainers ?? [] };
    const { resourceVersion } = pod.metadata;
    const generation = (old.metadata.generation ?? 0) + 1;
    const metadata = { ...old.metadata, resourceVersion, generation };
    return { ...old, spec, metadata };
  },
  errors(pod, old) {
    const spec = obj(pod.spec);
    const now = list(spec.ephemeralContainers);
    const errors = now.length > 0 ? containerErrors(now, spec) : [];
    if (isStatic(pod)) {
      const text = "static pods do not support ephemeral containers";
      return [...errors, forbidden("", text)];
    }
    return [...errors, ...keptErrors(now, old)];
  },
};

function isStatic({ metadata }: Obj): boolean {
  return metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined;
}

function containerErrors(
  containers: readonly JsonObject[],
  spec: JsonObject,
): FieldError[] {
  const namesOf = (field: string) =>
    list(spec[field]).map(({ name }) => str(name));
  const others = [...namesOf("containers"), ...namesOf("initContainers")];
  const names: PodNames = {
    volumes: new Set(namesOf("volumes")),
    containers: new Set(others),
    graceSeconds: undefined,
    isPod: true,
  };
  const errors = containersErrors(containers, names, PATH);
  for (const [i, container] of containers.entries()) {
    const target = str(container.targetContainerName);
    if (target && !others.includes(target))
      errors.push(notFoundField(`${PATH}[${i}].targetContainerName`, target));
    for (const field of REFUSED)
      if (!isEmpty(container[field]))
        errors.push(
          forbidden(
            `${PATH}[${i}].${field}`,
            "cannot be set for an Ephemeral Container",
          ),
        );
  }
  return errors;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** They can be added; what is there stays as it is. */
function keptErrors(now: readonly JsonObject[], old: Obj): FieldError[] {
  return list(obj(old.spec).ephemeralContainers).flatMap((before) => {
    const its = now.find(({ name }) => name === before.name);
    const which = `existing ephemeral containers ${quote(str(before.name))}`;
    if (!its) return [forbidden(PATH, `${which} may not be removed\n`)];
    if (same(its, before)) return [];
    return [forbidden(PATH, `${which} may not be changed\n`)];
  });
}
