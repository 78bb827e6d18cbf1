/**
 * ValidatingWebhookConfiguration: servers that are asked about what comes in.
 * Models: pkg/registry/admissionregistration, pkg/apis/admissionregistration/validation @ v1.36
 */
import { age, columns } from "../table.ts";
import { list } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";
import { webhookErrors } from "./webhook-rules.ts";

export type {
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from "./types/admission.ts";
export type ValidatingWebhookConfiguration =
  types.ValidatingWebhookConfiguration;

export const ValidatingWebhookConfiguration: Kind<ValidatingWebhookConfiguration> =
  defineKind<ValidatingWebhookConfiguration>({
    group: "admissionregistration.k8s.io",
    kind: "ValidatingWebhookConfiguration",
    namespaced: false,
    categories: ["api-extensions"],
    generationOf: ["webhooks"],
    columns: columns("Name|Webhooks#|Age"),
    row: (object, now) => ({
      cells: [
        object.metadata.name,
        list(object.webhooks).length,
        age(object, now),
      ],
    }),
    validate: webhookErrors,
  });
