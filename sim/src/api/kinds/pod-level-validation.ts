/**
 * What may be asked for by a Pod as a whole: no less than its containers ask
 * for together, no less than any of them may use.
 * Models: validatePodResources of pkg/apis/core/validation/validation.go
 *         @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { podQuantities } from "../helpers/pod-quantities.ts";
import { isMore } from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { at, list, map, obj } from "./access.ts";
import { podResourceErrors } from "./resource-names.ts";
import { resourceErrors } from "./resource-validation.ts";

export function podLevelErrors(spec: JsonObject, path: string): FieldError[] {
  const resources = obj(spec.resources);
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    const rule = "claims cannot be set for Resources at pod-level";
    errors.push(forbidden(`${path}.claims`, rule));
  }
  errors.push(...resourceErrors(resources, path, podResourceErrors));
  return [
    ...errors,
    ...sumErrors(spec, map(resources.requests), path),
    ...limitErrors(spec, map(resources.limits), path),
  ];
}

type Amounts = ReturnType<typeof map>;

function sumErrors(
  spec: JsonObject,
  requests: Amounts,
  path: string,
): FieldError[] {
  const { resources: _, ...own } = spec;
  const together = podQuantities(own as never, "requests", false);
  return Object.entries(together).flatMap(([name, amount]) => {
    const whole = requests[name];
    if (whole === undefined || !isMore(amount, whole)) return [];
    const rule = `must be greater than or equal to aggregate container requests of ${amount}`;
    return [invalid(`${path}.requests[${name}]`, whole, rule)];
  });
}

function limitErrors(
  spec: JsonObject,
  limits: Amounts,
  path: string,
): FieldError[] {
  return list(spec.containers).flatMap((container, i) =>
    Object.entries(map(at(container, "resources", "limits"))).flatMap(
      ([name, limit]) => {
        const whole = limits[name];
        if (whole === undefined || !isMore(limit, whole)) return [];
        const here = `${path}.containers[${i}][${name}].limits`;
        const rule = `must be less than or equal to pod limits of ${whole}`;
        return [invalid(here, limit, rule)];
      },
    ),
  );
}
