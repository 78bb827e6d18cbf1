/**
 * What `resources` may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { labelKey } from "../names.ts";
import { compareQuantities, parseQuantity } from "../quantity.ts";
import type { JsonObject } from "../types.ts";
import { obj, str } from "./access.ts";
import { notNegative } from "./shared-validation.ts";

const standard = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Resources whose request must be the limit: they cannot be shared out twice. */
function isFirm(name: string): boolean {
  const native = !name.includes("/") || name.includes("kubernetes.io/");
  return !native || name.startsWith("hugepages-");
}

export function resourceErrors(
  resources: JsonObject,
  path: string,
): FieldError[] {
  const { limits, requests } = resources;
  if (limits === undefined && requests === undefined) return [];
  const errors: FieldError[] = [];
  const [most, least] = [obj(limits), obj(requests)];
  for (const name in most)
    valueErrors(name, str(most[name]), `${path}.limits`, errors);
  for (const name in least) {
    const text = str(least[name]);
    valueErrors(name, text, `${path}.requests`, errors);
    const limit = most[name];
    if (limit === undefined) {
      if (isFirm(name)) {
        const rule = "Limit must be set for non overcommitable resources";
        errors.push(required(`${path}.limits`, rule));
      }
      continue;
    }
    if (text === limit) continue;
    const order = compareQuantities(
      parseQuantity(text),
      parseQuantity(str(limit)),
    );
    if (isFirm(name) && order !== 0) {
      const rule = `must be equal to ${name} limit of ${limit}`;
      errors.push(invalid(`${path}.requests`, text, rule));
    } else if (order > 0) {
      const rule = `must be less than or equal to ${name} limit of ${limit}`;
      errors.push(invalid(`${path}.requests`, text, rule));
    }
  }
  return errors;
}

function valueErrors(
  name: string,
  text: string,
  path: string,
  errors: FieldError[],
): void {
  const here = `${path}[${name}]`;
  if (text.startsWith("-")) errors.push(invalid(here, text, notNegative));
  if (standard.has(name)) return;
  for (const problem of labelKey(name))
    errors.push(invalid(here, name, problem));
  if (!name.includes("/") && !name.startsWith("hugepages-")) {
    errors.push(
      invalid(
        here,
        name,
        "must be a standard resource type or fully qualified",
      ),
    );
    errors.push(
      invalid(here, name, "must be a standard resource for containers"),
    );
  }
  if (!/^\d+([kMGTPE]i?)?$/.test(text))
    errors.push(invalid(here, text, "must be an integer"));
}
