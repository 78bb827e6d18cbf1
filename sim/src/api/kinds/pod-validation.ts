/**
 * What a Pod may say.
 * Models: pkg/apis/core/validation/validation.go @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
} from "../field-error.ts";
import { dns1123Label, dns1123Subdomain, labelKey } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, obj, str } from "./access.ts";
import { hostNetworkErrors } from "./container-ports-validation.ts";
import {
  containersErrors,
  initContainersErrors,
  type PodNames,
} from "./container-validation.ts";
import type { Obj } from "./definition.ts";
import { dnsErrors } from "./dns-validation.ts";
import { validateLabels } from "./metadata.ts";
import { podLevelErrors } from "./pod-level-validation.ts";
import { resourceErrors } from "./resource-validation.ts";
import { affinityErrors, tolerationErrors } from "./scheduling-validation.ts";
import { podSecurityErrors } from "./security-validation.ts";
import {
  choiceErrors,
  optionalChoiceErrors,
  rangeErrors,
} from "./shared-validation.ts";
import { spreadErrors } from "./spread-validation.ts";
import { volumesErrors } from "./volume-validation.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = [
  "ClusterFirstWithHostNet",
  "ClusterFirst",
  "Default",
  "None",
];

export function podErrors(pod: Obj): FieldError[] {
  return podSpecErrors(obj(pod.spec), "spec", true);
}

/** What only a later change may bring. */
export function newPodErrors(pod: Obj): FieldError[] {
  const { ephemeralContainers, schedulingGates, nodeName } = obj(pod.spec);
  if (!ephemeralContainers && !schedulingGates) return [];
  const errors: FieldError[] = [];
  if (list(ephemeralContainers).length > 0) {
    const rule = "cannot be set on create";
    errors.push(forbidden("spec.ephemeralContainers", rule));
  }
  if (nodeName && list(schedulingGates).length > 0) {
    const rule = "cannot be set until all schedulingGates have been cleared";
    errors.push(forbidden("spec.nodeName", rule));
  }
  return errors;
}

/** Of a Pod's spec, or a template's; in upstream's order. */
export function podSpecErrors(
  spec: JsonObject,
  path: string,
  isPod = false,
): FieldError[] {
  const volumes = new Set<string>();
  const { terminationGracePeriodSeconds: grace } = spec;
  const graceSeconds = typeof grace === "number" ? grace : undefined;
  const containers = new Set<string>();
  const names: PodNames = { volumes, containers, graceSeconds, isPod };
  const errors = volumesErrors(spec.volumes, volumes, `${path}.volumes`);
  errors.push(
    ...containersErrors(list(spec.containers), names, `${path}.containers`),
  );
  if (spec.initContainers !== undefined) {
    const where = `${path}.initContainers`;
    errors.push(
      ...initContainersErrors(list(spec.initContainers), names, where),
    );
  }
  if (spec.resources !== undefined) {
    errors.push(...podLevelErrors(spec, `${path}.resources`));
  }
  if (spec.hostNetwork === true) {
    const where = `${path}.containers`;
    errors.push(...hostNetworkErrors(list(spec.containers), isPod, where));
  }
  errors.push(
    ...choiceErrors(
      spec.restartPolicy,
      `${path}.restartPolicy`,
      restartPolicies,
    ),
  );
  errors.push(
    ...choiceErrors(spec.dnsPolicy, `${path}.dnsPolicy`, dnsPolicies),
  );
  if (spec.nodeSelector !== undefined) {
    const labels = obj(spec.nodeSelector) as { [key: string]: string };
    errors.push(...validateLabels(labels, `${path}.nodeSelector`));
  }
  if (spec.securityContext !== undefined) {
    const where = `${path}.securityContext`;
    errors.push(...podSecurityErrors(obj(spec.securityContext), where));
  }
  return placementErrors(spec, path, errors);
}

function placementErrors(
  spec: JsonObject,
  path: string,
  errors: FieldError[],
): FieldError[] {
  if (spec.affinity !== undefined) {
    errors.push(...affinityErrors(obj(spec.affinity), `${path}.affinity`));
  }
  if (spec.dnsPolicy === "None" || spec.dnsConfig !== undefined)
    errors.push(...dnsErrors(spec, `${path}.dnsConfig`));
  if (spec.schedulingGates !== undefined) {
    errors.push(
      ...gateErrors(list(spec.schedulingGates), `${path}.schedulingGates`),
    );
  }
  if (spec.topologySpreadConstraints !== undefined) {
    const where = `${path}.topologySpreadConstraints`;
    errors.push(...spreadErrors(list(spec.topologySpreadConstraints), where));
  }
  return identityErrors(spec, path, errors);
}

function identityErrors(
  spec: JsonObject,
  path: string,
  errors: FieldError[],
): FieldError[] {
  named(spec, "serviceAccountName", dns1123Subdomain, path, errors);
  named(spec, "nodeName", dns1123Subdomain, path, errors);
  const deadline = spec.activeDeadlineSeconds;
  errors.push(
    ...rangeErrors(deadline, `${path}.activeDeadlineSeconds`, 1, 2147483647),
  );
  named(spec, "hostname", dns1123Label, path, errors);
  named(spec, "subdomain", dns1123Label, path, errors);
  for (const [i, toleration] of list(spec.tolerations).entries()) {
    errors.push(...tolerationErrors(toleration, `${path}.tolerations[${i}]`));
  }
  named(spec, "priorityClassName", dns1123Subdomain, path, errors);
  named(spec, "runtimeClassName", dns1123Subdomain, path, errors);
  const { preemptionPolicy } = spec;
  const policies = ["Never", "PreemptLowerPriority"];
  const where = `${path}.preemptionPolicy`;
  errors.push(...optionalChoiceErrors(preemptionPolicy, where, policies));
  if (spec.overhead !== undefined) {
    const limits = obj(spec.overhead);
    errors.push(...resourceErrors({ limits }, `${path}.overhead`));
  }
  return errors;
}

function named(
  spec: JsonObject,
  field: string,
  rule: (name: string) => readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const name = spec[field];
  if (!name) return;
  for (const text of rule(str(name)))
    errors.push(invalid(`${path}.${field}`, name, text));
}

function gateErrors(gates: readonly JsonObject[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const used = new Set<string>();
  for (const [i, gate] of gates.entries()) {
    const name = str(gate.name);
    for (const text of labelKey(name))
      errors.push(invalid(`${path}[${i}]`, name, text));
    if (used.has(name)) errors.push(duplicate(`${path}[${i}]`, name));
    used.add(name);
  }
  return errors;
}
