/**
 * MutatingWebhookConfiguration: servers that are asked to change what comes in.
 * Models: pkg/registry/admissionregistration, pkg/apis/admissionregistration/validation @ v1.36
 */
import { age, columns } from "../table.ts";
import { list } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/admission.ts";
import { webhookErrors } from "./webhook-rules.ts";

export type {
  MutatingWebhook,
  RuleWithOperations,
  WebhookClientConfig,
} from "./types/admission.ts";
export type MutatingWebhookConfiguration = types.MutatingWebhookConfiguration;

export const MutatingWebhookConfiguration: Kind<MutatingWebhookConfiguration> =
  defineKind<MutatingWebhookConfiguration>({
    group: "admissionregistration.k8s.io",
    kind: "MutatingWebhookConfiguration",
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
