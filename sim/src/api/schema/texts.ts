/**
 * The texts of all structs. Models: staging/src/k8s.io/api @ v1.36
 */

import type { SchemaText } from "../schema.ts";
import { admissionSchema } from "./admission.ts";
import { appsSchema } from "./apps.ts";
import { authSchema } from "./auth.ts";
import { batchSchema } from "./batch.ts";
import { classesSchema } from "./classes.ts";
import { containerDetailsSchema } from "./container-details.ts";
import { containersSchema } from "./containers.ts";
import { coreSchema } from "./core.ts";
import { coreOthersSchema } from "./core-others.ts";
import { flowSchema } from "./flow.ts";
import { metaSchema } from "./meta.ts";
import { networkSchema } from "./network.ts";
import { persistentSchema } from "./persistent.ts";
import { placementSchema } from "./placement.ts";
import { podSchema } from "./pod.ts";
import { podDetailsSchema } from "./pod-details.ts";
import { policySchema } from "./policy.ts";
import { rbacSchema } from "./rbac.ts";
import { securitySchema } from "./security.ts";
import { serviceSchema } from "./service.ts";
import { setsSchema } from "./sets.ts";
import { storageSchema } from "./storage.ts";
import { storedSchema } from "./stored.ts";
import { volumesSchema } from "./volumes.ts";

/**
 * In the order in which structs are looked for; "" is each kind's own group.
 * What every cluster is made of comes first: the others are rarely read.
 */
export const schemaTexts: readonly SchemaText[] = [
  ["meta", () => metaSchema],
  ["core", () => coreSchema],
  ["core", () => podSchema],
  ["core", () => containersSchema],
  ["core", () => serviceSchema],
  ["", () => classesSchema],
  ["", () => rbacSchema],
  ["", () => appsSchema],
  ["core", () => containerDetailsSchema],
  ["core", () => volumesSchema],
  ["core", () => securitySchema],
  ["core", () => placementSchema],
  ["core", () => podDetailsSchema],
  ["core", () => persistentSchema],
  ["core", () => coreOthersSchema],
  ["", () => networkSchema],
  ["", () => setsSchema],
  ["", () => storageSchema],
  ["", () => policySchema],
  ["", () => batchSchema],
  ["", () => authSchema],
  ["", () => admissionSchema],
  ["", () => storedSchema],
  ["", () => flowSchema],
];
