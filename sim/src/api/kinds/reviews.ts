/**
 * Reviews: questions to the API server; the answer is in the status, nothing is stored.
 * Models: pkg/registry/{authentication,authorization}, pkg/apis/authorization/validation @ v1.36
 */
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { obj } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj, Validate } from "./definition.ts";
import type * as types from "./types/auth.ts";

export type * from "./types/auth.ts";
export type LocalSubjectAccessReview = types.LocalSubjectAccessReview;
export type SelfSubjectAccessReview = types.SelfSubjectAccessReview;
export type SelfSubjectReview = types.SelfSubjectReview;
export type SelfSubjectRulesReview = types.SelfSubjectRulesReview;
export type SubjectAccessReview = types.SubjectAccessReview;
export type TokenReview = types.TokenReview;

const create: readonly string[] = ["create"];
const authorization = "authorization.k8s.io";
const authentication = "authentication.k8s.io";

export const SelfSubjectReview: Kind<SelfSubjectReview> =
  defineKind<SelfSubjectReview>(
    review(authentication, "SelfSubjectReview", false),
  );

export const TokenReview: Kind<TokenReview> = defineKind<TokenReview>(
  review(authentication, "TokenReview", false),
);

export const LocalSubjectAccessReview: Kind<LocalSubjectAccessReview> =
  defineKind<LocalSubjectAccessReview>(
    review(authorization, "LocalSubjectAccessReview", true, subjectErrors),
  );

export const SelfSubjectAccessReview: Kind<SelfSubjectAccessReview> =
  defineKind<SelfSubjectAccessReview>(
    review(authorization, "SelfSubjectAccessReview", false, attributeErrors),
  );

export const SelfSubjectRulesReview: Kind<SelfSubjectRulesReview> =
  defineKind<SelfSubjectRulesReview>(
    review(authorization, "SelfSubjectRulesReview", false),
  );

export const SubjectAccessReview: Kind<SubjectAccessReview> =
  defineKind<SubjectAccessReview>(
    review(authorization, "SubjectAccessReview", false, subjectErrors),
  );

function review(
  group: string,
  kind: string,
  namespaced: boolean,
  validate?: Validate,
) {
  return { group, kind, namespaced, verbs: create, nameless: true, validate };
}

function attributeErrors(object: Obj): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = obj(object.spec);
  const errors: FieldError[] = [];
  const one =
    "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const rule = "cannot be specified in combination with resourceAttributes";
    errors.push(
      invalid("spec.nonResourceAttributes", nonResourceAttributes, rule),
    );
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    errors.push(
      invalid("spec.resourceAttributes", resourceAttributes ?? null, one),
    );
  }
  return errors;
}

function subjectErrors(object: Obj): FieldError[] {
  const { user, groups } = obj(object.spec);
  const errors = attributeErrors(object);
  if (!user && !groups) {
    const rule = "at least one of user or group must be specified";
    errors.push(invalid("spec.user", "", rule));
  }
  if (object.metadata.labels)
    errors.push(forbidden("metadata", "must be empty"));
  return errors;
}
