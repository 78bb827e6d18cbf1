/**
 * Kinds that only travel: bodies of subresources, never stored.
 * Models: api/{policy,autoscaling,authentication}/v1/types.go @ v1.36
 */
import { age, columns } from "../table.ts";
import { at, num } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as pod from "./types/pod.ts";
import type * as service from "./types/service.ts";

export type Eviction = pod.Eviction;
export type Scale = service.Scale;
export type TokenRequest = service.TokenRequest;

const none: readonly string[] = [];

/** Posted to `pods/eviction`: a delete that a PodDisruptionBudget may refuse. */
export const Eviction: Kind<Eviction> = defineKind<Eviction>({
  group: "policy",
  kind: "Eviction",
  verbs: none,
  nameless: true,
});

/** Read from and written to `…/scale`. */
export const Scale: Kind<Scale> = defineKind<Scale>({
  group: "autoscaling",
  kind: "Scale",
  verbs: none,
  nameless: true,
  columns: columns("Name|Desired#|Available#|Age"),
  row: (scale, now) => ({
    cells: [
      scale.metadata.name,
      num(at(scale, "spec", "replicas")),
      num(at(scale, "status", "replicas")),
      age(scale, now),
    ],
  }),
});

/** Posted to `serviceaccounts/token`. */
export const TokenRequest: Kind<TokenRequest> = defineKind<TokenRequest>({
  group: "authentication.k8s.io",
  kind: "TokenRequest",
  verbs: none,
  nameless: true,
});
