/**
 * What a schema may say. Flaws that an older definition has already do not
 * hold up another change of it.
 * Models:     apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../../field-error.ts";
import type { Json, JsonObject } from "../../types.ts";
import { list, obj, same } from "../access.ts";
import { defaultErrors } from "./defaults.ts";
import { schemaListErrors } from "./list-validation.ts";
import { nodeErrors } from "./node-validation.ts";
import { ruleErrors, ruleFormErrors } from "./rule-validation.ts";
import type { Strictness } from "./strictness.ts";
import { structuralErrors } from "./structural.ts";

export function schemaFieldErrors(
  validation: Json,
  path: string,
  hasStatus: boolean,
  strict: Strictness,
): FieldError[] {
  const { openAPIV3Schema } = obj(validation);
  if (openAPIV3Schema === undefined) return [];
  const schema = obj(openAPIV3Schema);
  const at = `${path}.openAPIV3Schema`;
  const errors = hasStatus ? statusErrors(schema, at) : [];
  if (schema.nullable === true) {
    const rule = "nullable cannot be true at the root";
    errors.push(forbidden(`${at}.nullable`, rule));
  }
  let compile = false;
  if (strict.structural && !unsupported(schema)) {
    const wrong = structuralErrors(schema, at);
    errors.push(
      ...(wrong.length > 0
        ? wrong
        : defaultErrors(schema, at, strict.prunedDefaults)),
    );
    compile = errors.length === 0;
  }
  const walk = new Walk(strict, compile);
  walk.visit(schema, at, { root: true, fixed: "", allowed: true, why: "" });
  errors.push(...walk.schemaErrors, ...walk.ruleErrors);
  const why = unsupported(schema);
  if (strict.structural && why && errors.length === 0) {
    errors.push(invalid(at, "", why));
  }
  return errors;
}

/** What the rest of the server cannot hold. */
function unsupported(schema: JsonObject): string {
  const odd = "$schema";
  return schema[odd] ? "OpenAPIV3Schema 'schema' is not supported" : "";
}

const AT_ROOT = [
  ...["Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum"],
  ...["Minimum", "ExclusiveMinimum", "MaxLength", "MinLength", "Pattern"],
  ...["MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required"],
  ...["Items", "Properties", "ExternalDocs", "Example"],
  ...["XPreserveUnknownFields", "XValidations"],
];

/** The status is cut out of the schema: what speaks of all would be lost. */
function statusErrors(schema: JsonObject, path: string): FieldError[] {
  for (const [name, value] of Object.entries(schema)) {
    if (value === undefined || same(value, []) || value === false) continue;
    if (name === "type" && value !== "object") {
      const rule =
        'only "object" is allowed as the type at the root of the schema if ' +
        "the status subresource is enabled";
      return [invalid(`${path}.type`, value, rule)];
    }
    const goName = name
      .replace(/^x-kubernetes/, "x")
      .replace(/-([a-z])/g, (_, c: string) => c.toUpperCase())
      .replace(/^./, (c) => c.toUpperCase());
    if (AT_ROOT.includes(goName)) continue;
    const rule = `only [${AT_ROOT.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalid(path, schema, rule)];
  }
  return [];
}

interface Where {
  readonly root: boolean;
  /** The outermost place whose parts cannot be told from the old ones. */
  readonly fixed: string;
  readonly allowed: boolean;
  /** Why no default may stand here. */
  readonly why: string;
  readonly inMeta?: boolean;
  /** Inside of logic, where rules are never worked out. */
  readonly nested?: boolean;
}

/** Rules are only compiled where nothing is wrong with the schema itself. */
class Walk {
  readonly schemaErrors: FieldError[] = [];
  readonly ruleErrors: FieldError[] = [];
  private readonly strict: Strictness;
  private readonly compile: boolean;

  constructor(strict: Strictness, compile: boolean) {
    this.strict = strict;
    this.compile = compile;
  }

  visit(schema: JsonObject, path: string, where: Where): void {
    const before = this.schemaErrors.length;
    this.schemaErrors.push(...nodeErrors(schema, path, where, this.strict));
    this.fields(schema, path, where);
    this.logic(schema, path, where);
    const { items } = schema;
    const keyed = schema["x-kubernetes-list-type"] === "map";
    const inner = { ...where, root: false };
    if (items && !Array.isArray(items)) {
      const fixed = keyed ? where.fixed : where.fixed || path;
      this.visit(obj(items), `${path}.items`, { ...inner, fixed });
    }
    this.schemaErrors.push(
      ...schemaListErrors(schema, path, this.strict),
      ...ruleFormErrors(schema, path),
    );
    const sound = this.schemaErrors.length === before;
    if (!this.compile || where.nested || !sound) return;
    this.ruleErrors.push(...ruleErrors(schema, path, where.root, where.fixed));
  }

  private fields(schema: JsonObject, path: string, where: Where): void {
    const { additionalProperties: more, properties } = schema;
    if (more && typeof more === "object") {
      const why = "inside additionalProperties applying to object metadata";
      const limits = where.inMeta ? { allowed: false, why } : {};
      const inner = { ...where, ...limits, root: false };
      this.visit(obj(more), `${path}.additionalProperties`, inner);
    }
    const atomic = schema["x-kubernetes-map-type"] === "atomic";
    const fixed = atomic ? where.fixed || path : where.fixed;
    const whole =
      where.root || schema["x-kubernetes-embedded-resource"] === true;
    for (const [name, child] of Object.entries(obj(properties))) {
      const meta = whole && /^(metadata|kind|apiVersion)$/.test(name);
      const limits =
        meta && where.root
          ? { allowed: false, why: `in top-level ${name}` }
          : {};
      this.visit(obj(child), `${path}.properties[${name}]`, {
        ...where,
        ...limits,
        root: false,
        fixed,
        inMeta: where.inMeta || meta,
      });
    }
  }

  private logic(schema: JsonObject, path: string, where: Where): void {
    const inner = { ...where, root: false, nested: true };
    if (schema.not) this.visit(obj(schema.not), `${path}.not`, inner);
    for (const field of ["allOf", "oneOf", "anyOf"]) {
      for (const [i, one] of list(schema[field]).entries()) {
        this.visit(one, `${path}.${field}[${i}]`, inner);
      }
    }
  }
}
