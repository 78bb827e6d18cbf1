/** ValidatingAdmissionPolicy: rules in CEL that refuse what comes in. */
import { definePolicy } from "./admission-kinds.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type ValidatingAdmissionPolicy = types.ValidatingAdmissionPolicy;

export const ValidatingAdmissionPolicy: Kind<ValidatingAdmissionPolicy> =
  definePolicy("ValidatingAdmissionPolicy", "Validations", {});
