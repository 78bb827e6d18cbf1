/**
 * PodTemplate: a Pod's description, stored on its own.
 * Models: pkg/registry/core/podtemplate/strategy.go @ v1.36
 */
import { columns } from "../table.ts";
import { at } from "./access.ts";
import { containerCells, labelsText } from "./cells.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { templateErrors } from "./template-validation.ts";
import type * as types from "./types/pod.ts";

export type PodTemplate = types.PodTemplate;

export const PodTemplate: Kind<PodTemplate> = defineKind<PodTemplate>({
  kind: "PodTemplate",
  updateOrder: ["metaChange", "rules"],
  generationOf: ["template"],
  columns: columns("Name|Containers|Images|Pod Labels"),
  row: (object) => ({
    cells: [
      object.metadata.name,
      ...containerCells(object.template),
      labelsText(at(object, "template", "metadata", "labels")),
    ],
  }),
  validate: (object) => templateErrors(object.template, "template"),
});
