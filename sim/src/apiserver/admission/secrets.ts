/**
 * Secrets that a Pod may not name: a mirror Pod none at all, others those that
 * their account does not mention, where the account says that this counts.
 * Models: plugin/pkg/admission/serviceaccount/admission.go @ v1.36
 */
import { list, obj, str } from "../../api/kinds/access.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import type { JsonObject } from "../../api/types.ts";

export const ENFORCE = "kubernetes.io/enforce-mountable-secrets";
const CONTAINERS: readonly [field: string, what: string][] = [
  ["initContainers", "init container"],
  ["containers", "container"],
  ["ephemeralContainers", "ephemeral container"],
];

/** Secrets that environments name: of which container, for which variable. */
function environment(spec: JsonObject) {
  return CONTAINERS.flatMap(([field, what]) =>
    list(spec[field]).flatMap((container) =>
      list(container.env).flatMap(({ name, valueFrom }) => {
        const secret = str(obj(obj(valueFrom).secretKeyRef).name);
        const where = `${what} ${str(container.name)} with envVar ${str(name)}`;
        return secret ? [{ secret, where }] : [];
      }),
    ),
  );
}

function volumes(spec: JsonObject): string[] {
  return list(spec.volumes).flatMap(({ secret }) =>
    secret === undefined ? [] : [str(obj(secret).secretName)],
  );
}

/** Why a mirror Pod is refused; "" if it is not. */
export function mirrorProblem(spec: JsonObject): string {
  if (str(spec.serviceAccountName) !== "") {
    return "a mirror pod may not reference service accounts";
  }
  const pulls = list(spec.imagePullSecrets);
  const projected = list(spec.volumes).flatMap((volume) =>
    list(obj(volume.projected).sources),
  );
  const named =
    volumes(spec).length > 0 ||
    environment(spec).length > 0 ||
    pulls.length > 0 ||
    projected.some(({ secret }) => secret !== undefined);
  if (named) return "a mirror pod may not reference secrets";
  const token = projected.some((one) => one.serviceAccountToken !== undefined);
  return token
    ? "a mirror pod may not use ServiceAccountToken volume projections"
    : "";
}

/** Why the account does not let the Pod have its Secrets; "": it does. */
export function secretProblem(account: Obj, spec: JsonObject): string {
  const { name, annotations } = account.metadata;
  if (!/^(1|t|true)$/i.test(annotations?.[ENFORCE] ?? "")) return "";
  const namesOf = (field: string) =>
    list(account[field]).map((one) => str(one.name));
  const mountable = namesOf("secrets");
  const not = `is not allowed because service account ${name} does not reference that`;
  for (const secret of volumes(spec)) {
    if (mountable.includes(secret)) continue;
    return `volume with secret.secretName="${secret}" ${not} secret`;
  }
  for (const { secret, where } of environment(spec)) {
    if (mountable.includes(secret)) continue;
    return `${where} referencing secret.secretName="${secret}" ${not} secret`;
  }
  const pulls = namesOf("imagePullSecrets");
  for (const [i, pull] of list(spec.imagePullSecrets).entries()) {
    const secret = str(pull.name);
    if (pulls.includes(secret)) continue;
    return `imagePullSecrets[${i}].name="${secret}" ${not} imagePullSecret`;
  }
  return "";
}
