/**
 * MutatingAdmissionPolicyBinding: where a policy holds, and with which parameters.
 * Models: pkg/registry/admissionregistration @ v1.36
 */

import { definePolicyBinding } from "./admission-kinds.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type MutatingAdmissionPolicyBinding =
  types.MutatingAdmissionPolicyBinding;

export const MutatingAdmissionPolicyBinding: Kind<MutatingAdmissionPolicyBinding> =
  definePolicyBinding("MutatingAdmissionPolicyBinding");
