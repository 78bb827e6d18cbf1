/**
 * CustomResourceDefinition: adds a kind to the API.
 * Models: apiextensions-apiserver/pkg/{registry/customresourcedefinition,apis/apiextensions} (in staging) @ v1.36
 */
import type { JsonObject } from "../types.ts";
import { at, list, obj, str, strings } from "./access.ts";
import {
  definitionChangeErrors,
  definitionErrors,
  statusNameErrors,
} from "./crd/spec-validation.ts";
import { defineKind, metaOfOld } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from "./types/admission.ts";
export type CustomResourceDefinition = types.CustomResourceDefinition;

export const CustomResourceDefinition: Kind<CustomResourceDefinition> =
  defineKind<CustomResourceDefinition>({
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    emptyStatus: { acceptedNames: { kind: "", plural: "" } },
    statusKeeps: metaOfOld,
    generationOf: ["spec"],
    metaBy: "extension",
    hooks: { CustomResourceDefinitionSpec: specDefaults },
    allowUnconditionalUpdate: false,
    onCreate: withStored,
    onUpdate: withStored,
    validateNew: definitionErrors,
    validateChange: definitionChangeErrors,
    validateStatusChange: statusNameErrors,
  });

/** Objects are stored in the version that says so, and were in others. */
function withStored(crd: Obj): Obj {
  const versions = list(obj(crd.spec).versions);
  const stored = versions.find(({ storage }) => storage)?.name;
  const known = strings(at(crd, "status", "storedVersions"));
  if (!stored || known.includes(str(stored))) return crd;
  const storedVersions = [...known, str(stored)];
  return { ...crd, status: { ...obj(crd.status), storedVersions } };
}

function specDefaults(spec: JsonObject): JsonObject {
  let next = spec;
  if (next.conversion === undefined)
    next = { ...next, conversion: { strategy: "None" } };
  const names = obj(next.names);
  const { singular, listKind } = names;
  const kind = str(names.kind);
  if (!kind || (singular && listKind)) return next;
  const filled = {
    ...names,
    singular: singular || kind.toLowerCase(),
    listKind: listKind || `${kind}List`,
  };
  return { ...next, names: filled };
}
