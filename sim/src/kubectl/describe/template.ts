/**
 * Pod templates, and what they share with Pods: tolerations, spreading.
 * Models:     kubectl/pkg/describe/describe.go (DescribePodTemplate) @ v1.36
 */
import { list, map, obj, str } from "../../api/kinds/access.ts";
import { labelSelectorText } from "../../api/selector.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { writeContainers } from "./container.ts";
import { writeVolumes } from "./volumes.ts";
import { type Writer, writeAnnotations, writeLabels } from "./writer.ts";

export function writeTemplate(w: Writer, template: Json): void {
  const { metadata, spec } = obj(template);
  w.line(0, "Pod Template:");
  writeTemplateBody(w, obj(metadata), obj(spec));
}

export function writeTemplateBody(
  w: Writer,
  { labels, annotations }: JsonObject,
  spec: JsonObject,
): void {
  const space = "  ";
  writeLabels(w, "  Labels", map(labels));
  if (Object.keys(map(annotations)).length > 0)
    writeAnnotations(w, "  Annotations", map(annotations));
  const account = str(spec.serviceAccountName);
  if (account) w.line(0, `  Service Account:\t${account}`);
  const init = list(spec.initContainers);
  if (init.length > 0) writeContainers(w, "Init Containers", init, { space });
  writeContainers(w, "Containers", list(spec.containers), { space });
  writeVolumes(w, list(spec.volumes), space);
  writeSpreading(w, spec, space);
  const priority = str(spec.priorityClassName);
  if (priority) w.line(0, `  Priority Class Name:\t${priority}`);
  writeLabels(w, "  Node-Selectors", map(spec.nodeSelector));
  writeTolerations(w, "  Tolerations", list(spec.tolerations));
}

export function writeTolerations(
  w: Writer,
  title: string,
  tolerations: readonly JsonObject[],
): void {
  const sorted = tolerations.toSorted((a, b) =>
    str(a.key) < str(b.key) ? -1 : str(a.key) > str(b.key) ? 1 : 0,
  );
  w.items(0, title, sorted.map(tolerationText));
}

function tolerationText(toleration: JsonObject): string {
  const { key, value, effect, operator, tolerationSeconds } = toleration;
  let text = str(key);
  if (value) text += `=${value}`;
  if (effect) text += `:${effect}`;
  if (operator === "Exists" && !value) {
    text += key || effect ? " op=Exists" : "op=Exists";
  }
  if (typeof tolerationSeconds === "number") {
    text += ` for ${tolerationSeconds}s`;
  }
  return text;
}

export function writeSpreading(
  w: Writer,
  spec: JsonObject,
  space: string,
): void {
  const constraints = list(spec.topologySpreadConstraints).toSorted((a, b) =>
    str(a.topologyKey) < str(b.topologyKey) ? -1 : 1,
  );
  for (const [i, constraint] of constraints.entries()) {
    const { topologyKey, whenUnsatisfiable, maxSkew, labelSelector } =
      constraint;
    const head = i === 0 ? `${space}Topology Spread Constraints:` : "";
    const selector = labelSelectorText(labelSelector as never);
    const minimum = constraint.minDomains
      ? `, minDomains ${constraint.minDomains}`
      : "";
    w.line(
      0,
      `${head}\t${topologyKey}:${whenUnsatisfiable} when max skew ` +
        `${maxSkew}${minimum} is exceeded for selector ${selector}`,
    );
  }
}
