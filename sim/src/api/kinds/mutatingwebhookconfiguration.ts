/** MutatingWebhookConfiguration: servers that are asked to change what comes in. */

import { defineWebhooks } from "./admission-kinds.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";

export type {
  MutatingWebhook,
  RuleWithOperations,
  WebhookClientConfig,
} from "./types/admission.ts";
export type MutatingWebhookConfiguration = types.MutatingWebhookConfiguration;

export const MutatingWebhookConfiguration: Kind<MutatingWebhookConfiguration> =
  defineWebhooks("MutatingWebhookConfiguration");
