/**
 * Profiles that confine a process, which a Pod may not loosen at the level
 * baseline: AppArmor, SELinux, seccomp.
 * Models:     check_{appArmorProfile,seLinuxOptions,seccompProfile_baseline}.go
 *             of k8s.io/pod-security-admission/policy @ v1.36
 * Leaves out: seccomp by annotation, before version 1.19.
 */
import { at, obj, str } from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";
import {
  namesWhere,
  plural,
  quoted,
  type Subject,
  setters,
  sorted,
} from "./words.ts";

const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

export function appArmor(subject: Subject) {
  const typeOf = (context: JsonObject) =>
    str(at(context, "appArmorProfile", "type"));
  const isBad = (context: JsonObject) =>
    !["", "RuntimeDefault", "Localhost"].includes(typeOf(context));
  const pod = isBad(subject.own);
  const names = namesWhere(subject, isBad);
  const contexts = subject.containers.map((one) => obj(one.securityContext));
  const values = sorted(
    [subject.own, ...contexts].filter(isBad).map((one) => typeOf(one)),
  );
  const marks = Object.entries(subject.annotations)
    .filter(([key, value]) => {
      const fine = value === "" || value === "runtime/default";
      return key.startsWith(APP_ARMOR) && !fine && !/^localhost\//.test(value);
    })
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const who = [setters(pod, names)].filter(Boolean);
  if (marks.length > 0)
    who.push(plural("annotation", "annotations", marks.length));
  if (who.length === 0) return undefined;
  const all = [...values, ...marks];
  const reason = plural(
    "forbidden AppArmor profile",
    "forbidden AppArmor profiles",
    all.length,
  );
  const what = `must not set AppArmor profile type to ${quoted(all)}`;
  return { reason, detail: `${who.join(" and ")} ${what}` };
}

const SELINUX_TYPES = [
  "",
  "container_t",
  "container_init_t",
  "container_kvm_t",
];

export function seLinux(subject: Subject, minor: number) {
  const allowed = SELINUX_TYPES.concat(minor >= 31 ? "container_engine_t" : []);
  const types: string[] = [];
  const fields = new Set<string>();
  const isBad = (context: JsonObject) => {
    const { type, user, role } = obj(context.seLinuxOptions);
    const bad = !allowed.includes(str(type));
    if (bad) types.push(str(type));
    if (user) fields.add("user may not be set");
    if (role) fields.add("role may not be set");
    return bad || Boolean(user || role);
  };
  const pod = isBad(subject.own);
  const names = namesWhere(subject, isBad);
  if (!pod && names.length === 0) return undefined;
  const bad = sorted(types);
  const data = bad.length
    ? [`${plural("type", "types", bad.length)} ${quoted(bad)}`]
    : [];
  const told = [...data, ...[...fields].sort().reverse()].join("; ");
  const what = `set forbidden securityContext.seLinuxOptions: ${told}`;
  return { reason: "seLinuxOptions", detail: `${setters(pod, names)} ${what}` };
}

export function seccomp(subject: Subject) {
  return badSeccomp(subject, ["", "RuntimeDefault", "Localhost"]);
}

/** Profiles that are set, and are none of those allowed. */
export function badSeccomp(subject: Subject, allowed: readonly string[]) {
  const found: string[] = [];
  const isBad = (context: JsonObject) => {
    const type = str(at(context, "seccompProfile", "type"));
    const bad = !allowed.includes(type);
    if (bad) found.push(type);
    return bad;
  };
  const pod = isBad(subject.own);
  const names = namesWhere(subject, isBad);
  if (!pod && names.length === 0) return undefined;
  const what = `must not set securityContext.seccompProfile.type to ${quoted(sorted(found))}`;
  return { reason: "seccompProfile", detail: `${setters(pod, names)} ${what}` };
}
