/** ValidatingWebhookConfiguration: servers that are asked about what comes in. */

import { defineWebhooks } from "./admission-kinds.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type {
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from "./types/admission.ts";
export type ValidatingWebhookConfiguration =
  types.ValidatingWebhookConfiguration;

export const ValidatingWebhookConfiguration: Kind<ValidatingWebhookConfiguration> =
  defineWebhooks("ValidatingWebhookConfiguration");
