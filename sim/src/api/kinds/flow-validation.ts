/**
 * What a FlowSchema may say.
 * Models: ValidateFlowSchema of pkg/apis/flowcontrol/validation/validation.go
 *         @ v1.36
 */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../field-error.ts";
import { dns1123Label, dns1123Subdomain } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { list, num, obj, same, str } from "./access.ts";
import type { Obj } from "./definition.ts";
import { mandatorySchema } from "./flow-mandatory.ts";
import { flowRuleErrors } from "./flow-rules-validation.ts";
import { internalJson } from "./internal-json.ts";

const precedenceMax = 10000;

export function flowSchemaErrors({ metadata, spec }: Obj): FieldError[] {
  const name = metadata.name ?? "";
  const said = obj(spec);
  const errors = [
    ...precedenceErrors(name, num(said.matchingPrecedence)),
    ...methodErrors(said.distinguisherMethod),
    ...levelErrors(str(obj(said.priorityLevelConfiguration).name)),
    ...list(said.rules).flatMap((rule, i) =>
      ruleErrors(rule, `spec.rules[${i}]`),
    ),
  ];
  const fixed = mandatorySchema(name);
  if (!fixed || same(fixed, said)) return errors;
  const shown = internalJson("FlowSchemaSpec", said);
  const rule = `spec of '${name}' must equal the fixed value`;
  return [...errors, invalid("spec", shown, rule)];
}

function precedenceErrors(name: string, precedence: number): FieldError[] {
  const wrong = (rule: string) => [
    invalid("spec.matchingPrecedence", precedence, rule),
  ];
  if (precedence <= 0) return wrong("must be a positive value");
  if (precedence > precedenceMax)
    return wrong(`must not be greater than ${precedenceMax}`);
  if (precedence !== 1 || name === "exempt") return [];
  return wrong("only the schema named 'exempt' may have matchingPrecedence 1");
}

function methodErrors(method: unknown): FieldError[] {
  const known = ["ByNamespace", "ByUser"];
  if (method === undefined || known.includes(str(obj(method).type))) return [];
  const path = "spec.distinguisherMethod.type";
  const shown = internalJson("FlowDistinguisherMethod", obj(method));
  return [notSupported(path, shown, known)];
}

function levelErrors(name: string): FieldError[] {
  const path = "spec.priorityLevelConfiguration.name";
  if (!name) return [required(path, "must reference a priority level")];
  return dns1123Subdomain(name).map((text) => invalid(path, name, text));
}

function ruleErrors(rule: JsonObject, path: string): FieldError[] {
  const subjects = list(rule.subjects);
  const errors = subjects.flatMap((one, i) =>
    subjectErrors(one, `${path}.subjects[${i}]`),
  );
  if (subjects.length === 0) {
    const text = "subjects must contain at least one value";
    errors.push(required(`${path}.subjects`, text));
  }
  return [...errors, ...flowRuleErrors(rule, path)];
}

/** The field of each kind of subject. */
const fields: { readonly [kind: string]: string } = {
  ServiceAccount: "serviceAccount",
  User: "user",
  Group: "group",
};

function subjectErrors(subject: JsonObject, path: string): FieldError[] {
  const kind = str(subject.kind);
  const field = fields[kind];
  if (!field)
    return [
      notSupported(`${path}.kind`, kind, ["Group", "ServiceAccount", "User"]),
    ];
  const own = `${path}.${field}`;
  const text = `${field} is required when subject kind is '${kind}'`;
  const errors = subject[field]
    ? namedErrors(kind, obj(subject[field]), own)
    : [required(own, text)];
  for (const [other, name] of Object.entries(fields)) {
    if (name === field || !subject[name]) continue;
    const rule = `${name} is forbidden when subject kind is not '${other}'`;
    errors.push(forbidden(`${path}.${name}`, rule));
  }
  return errors;
}

function namedErrors(
  kind: string,
  subject: JsonObject,
  path: string,
): FieldError[] {
  const [name, namespace] = [str(subject.name), str(subject.namespace)];
  const errors = name ? [] : [required(`${path}.name`)];
  if (kind !== "ServiceAccount") return errors;
  if (name && name !== "*")
    for (const text of dns1123Subdomain(name))
      errors.push(invalid(`${path}.name`, name, text));
  const where = `${path}.namespace`;
  if (!namespace) {
    const text = "must specify namespace for service account";
    return [...errors, required(where, text)];
  }
  const texts = dns1123Label(namespace);
  return [...errors, ...texts.map((text) => invalid(where, namespace, text))];
}

/** Of the status: each condition has a type of its own. */
export function conditionErrors({ status }: Obj): FieldError[] {
  const types = list(obj(status).conditions).map(({ type }) => str(type));
  return types.flatMap((type, i) => {
    const path = `status.conditions[${i}].type`;
    return [
      ...(types.indexOf(type) < i ? [duplicate(path, type)] : []),
      ...(type ? [] : [required(path, "must not be empty")]),
    ];
  });
}
