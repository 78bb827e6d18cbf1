/** MutatingAdmissionPolicy: rules in CEL that change what comes in. */
import { definePolicy } from "./admission-kinds.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type MutatingAdmissionPolicy = types.MutatingAdmissionPolicy;

export const MutatingAdmissionPolicy: Kind<MutatingAdmissionPolicy> =
  definePolicy("MutatingAdmissionPolicy", "Mutations");
