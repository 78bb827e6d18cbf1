/**
 * What is accepted in a Pod's containers and is hardly meant, and annotations
 * that fields have taken the place of.
 * Models: warningsForPodSpecAndMeta of pkg/api/pod/warnings.go @ v1.36
 */
import { quote } from "../go-text.ts";
import { at, list, obj, str } from "../kinds/access.ts";
import type { JsonObject } from "../types.ts";
import { fractionWarnings } from "./fractions.ts";
import { placedContainers } from "./ports.ts";

export type Annotations = { readonly [key: string]: string };

export const weighed = ["memory", "ephemeral-storage"];

const useProfile =
  'non-functional in v1.27+; use the "seccompProfile" field instead';

export function seccompWarnings(
  spec: JsonObject,
  annotations: Annotations,
  prefix: string,
): string[] {
  const key = "seccomp.security.alpha.kubernetes.io/pod";
  const profile = at(spec, "securityContext", "seccompProfile");
  if (profile !== undefined || annotations[key] === undefined) return [];
  return [`${prefix}metadata.annotations[${key}]: ${useProfile}`];
}

export function containerWarnings(
  spec: JsonObject,
  annotations: Annotations,
  prefix: string,
): string[] {
  const armed = at(spec, "securityContext", "appArmorProfile") !== undefined;
  return placedContainers(spec, `${prefix}spec`).flatMap(
    ([container, path]) => {
      const context = obj(container.securityContext);
      const noted = (key: string, why: string) =>
        annotations[key] === undefined
          ? []
          : [`${prefix}metadata.annotations[${key}]: ${why}`];
      const name = str(container.name);
      const { seccompProfile, appArmorProfile } = context;
      const seccomp = `container.seccomp.security.alpha.kubernetes.io/${name}`;
      const armor = `container.apparmor.security.beta.kubernetes.io/${name}`;
      const { limits, requests } = obj(container.resources);
      const sizes = weighed.flatMap((size) => [
        ...fractionWarnings(obj(limits), `${path}.resources.limits`, [size]),
        ...fractionWarnings(obj(requests), `${path}.resources.requests`, [
          size,
        ]),
      ]);
      return [
        ...(seccompProfile === undefined ? noted(seccomp, useProfile) : []),
        ...(prefix && !armed && appArmorProfile === undefined
          ? noted(
              armor,
              'deprecated since v1.30; use the "appArmorProfile" field instead',
            )
          : []),
        ...sizes,
        ...envWarnings(list(container.env), `${path}.env`),
      ];
    },
  );
}

/** A variable that is set again, without the value it had. */
function envWarnings(env: readonly JsonObject[], path: string): string[] {
  const seen = new Set<string>();
  return env.flatMap((item, i) => {
    const name = str(item.name);
    const again = seen.has(name);
    seen.add(name);
    if (!again) return [];
    const [value, before] = [str(item.value), `$(${name})`];
    const builds = value.includes(before) && value !== before;
    if (item.valueFrom === undefined && builds) return [];
    const why = `hides previous definition of ${quote(name)}`;
    return [`${path}[${i}]: ${why}, which may be dropped when using apply`];
  });
}
