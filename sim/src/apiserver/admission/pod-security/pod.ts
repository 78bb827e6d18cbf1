/**
 * A Pod, or a template of Pods, against what its namespace asks: the Pod is
 * refused, of a template it is only told what its Pods will come to.
 * Models: EvaluatePod of
 *         k8s.io/pod-security-admission/admission/admission.go @ v1.36
 */
import { list, obj } from "../../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../../api/types.ts";
import type { RequestContext } from "../../context.ts";
import { refuse } from "../plugin.ts";
import { detailsOf, findings } from "./evaluate.ts";
import {
  type LevelVersion,
  type Policy,
  PREFIX,
  policyText,
} from "./policy.ts";
import { subjectOf } from "./words.ts";

/** `template`: where in the object Pods are described; none: it is a Pod. */
export function checkPods(
  ctx: RequestContext,
  { enforce, audit, warn }: Policy,
  template: readonly string[] | undefined,
): void {
  const pod = template?.reduce<Json>((one, key) => obj(one)[key], {
    ...ctx.object,
  } as JsonObject);
  if (!template && ctx.old && !isSignificant(ctx)) return;
  const { metadata, spec } = template ? obj(pod) : obj(ctx.object);
  if (!spec) return;
  const annotations = obj(obj(metadata).annotations) as Record<string, string>;
  const subject = subjectOf(obj(spec), annotations);
  const told = new Map<string, string>();
  const problems = (asked: LevelVersion): string => {
    const text = policyText(asked);
    const known = told.get(text) ?? detailsOf(findings(subject, asked));
    told.set(text, known);
    return known && `PodSecurity "${text}": ${known}`;
  };
  const notes = new Map<string, string>();
  ctx.annotations = notes;
  if (!template) notes.set(`${PREFIX}enforce-policy`, policyText(enforce));
  const found = problems(audit);
  if (found) notes.set(`${PREFIX}audit-violations`, `would violate ${found}`);
  const refused = template ? "" : problems(enforce);
  if (refused) throw refuse(ctx, `violates ${refused}`);
  const warned = problems(warn);
  if (warned) ctx.warnings.push(`would violate ${warned}`);
}

/** Of a Pod that is there, only images and new containers matter. */
function isSignificant({ object, old }: RequestContext): boolean {
  const [after, before] = [obj(object!.spec), obj(old!.spec)];
  return ["initContainers", "containers", "ephemeralContainers"].some(
    (field) => {
      const known = list(before[field]);
      return list(after[field]).some(({ name, image }) => {
        const same = known.find((one) => one.name === name);
        return !same || same.image !== image;
      });
    },
  );
}
