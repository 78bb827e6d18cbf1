/**
 * The level restricted: besides, a Pod gives up what it rarely needs.
 * Models:     k8s.io/pod-security-admission/policy/check_*.go @ v1.36
 * Leaves out: what user namespaces allow while their gate is off.
 */
import { at, list, str, strings } from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";
import type { Check } from "./evaluate.ts";
import { badSeccomp } from "./profiles.ts";
import {
  containersText,
  namesWhere,
  plural,
  quoted,
  type Subject,
  setters,
  sorted,
} from "./words.ts";

/** `instead`: checks of baseline that it takes in. */
export const RESTRICTED: readonly Check[] = [
  { id: "allowPrivilegeEscalation", since: 8, find: escalation },
  {
    ...{ id: "capabilities_restricted", since: 22, find: capabilities },
    instead: "capabilities_baseline",
  },
  { id: "restrictedVolumes", find: volumes, instead: "hostPathVolumes" },
  { id: "runAsNonRoot", find: nonRoot },
  { id: "runAsUser", since: 23, find: user },
  {
    ...{ id: "seccompProfile_restricted", since: 19, find: seccomp },
    instead: "seccompProfile_baseline",
  },
];

/** Windows has no such thing, and since 1.25 need not say so. */
function isWindows({ spec }: Subject, minor: number): boolean {
  return minor >= 25 && at(spec, "os", "name") === "windows";
}

function escalation(subject: Subject, minor: number) {
  if (isWindows(subject, minor)) return undefined;
  const names = namesWhere(
    subject,
    (context) => context.allowPrivilegeEscalation !== false,
  );
  if (names.length === 0) return undefined;
  const what = "must set securityContext.allowPrivilegeEscalation=false";
  const reason = "allowPrivilegeEscalation != false";
  return { reason, detail: `${containersText(names)} ${what}` };
}

function capabilities(subject: Subject, minor: number) {
  if (isWindows(subject, minor)) return undefined;
  const of = (context: JsonObject, what: string) =>
    strings(at(context, "capabilities", what));
  const keeping = namesWhere(
    subject,
    (context) => !of(context, "drop").includes("ALL"),
  );
  const found: string[] = [];
  const adding = namesWhere(subject, (context) => {
    const bad = of(context, "add").filter((one) => one !== "NET_BIND_SERVICE");
    found.push(...bad);
    return bad.length > 0;
  });
  const details: string[] = [];
  if (keeping.length > 0) {
    const what = 'must set securityContext.capabilities.drop=["ALL"]';
    details.push(`${containersText(keeping)} ${what}`);
  }
  if (adding.length > 0) {
    const what = `must not include ${quoted(sorted(found))} in securityContext.capabilities.add`;
    details.push(`${containersText(adding)} ${what}`);
  }
  if (details.length === 0) return undefined;
  return { reason: "unrestricted capabilities", detail: details.join("; ") };
}

const ALLOWED_VOLUMES = [
  ...["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral"],
  ...["persistentVolumeClaim", "projected", "secret"],
];
const OTHER_VOLUMES = [
  ...["hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo"],
  ...["nfs", "iscsi", "glusterfs", "rbd", "flexVolume", "cinder", "cephfs"],
  ...["flocker", "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk"],
  ...["portworxVolume", "scaleIO", "storageos", "photonPersistentDisk"],
];

function volumes({ spec }: Subject) {
  const bad = list(spec.volumes).filter(
    (volume) => !ALLOWED_VOLUMES.some((type) => volume[type]),
  );
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => str(name));
  const types = sorted(
    bad.map((one) => OTHER_VOLUMES.find((type) => one[type]) ?? "unknown"),
  );
  const who = `${plural("volume", "volumes", names.length)} ${quoted(names)}`;
  const what = "restricted volume type";
  const uses = plural("uses", "use", names.length);
  const which = `${plural(what, `${what}s`, types.length)} ${quoted(types)}`;
  return { reason: `${what}s`, detail: `${who} ${uses} ${which}` };
}

function nonRoot(subject: Subject) {
  const reason = "runAsNonRoot != true";
  const pod = subject.own.runAsNonRoot;
  const refusing = namesWhere(
    subject,
    ({ runAsNonRoot }) => runAsNonRoot === false,
  );
  if (pod === false || refusing.length > 0) {
    const what = "must not set securityContext.runAsNonRoot=false";
    return { reason, detail: `${setters(pod === false, refusing)} ${what}` };
  }
  const silent = namesWhere(
    subject,
    ({ runAsNonRoot }) => runAsNonRoot === undefined && pod !== true,
  );
  if (silent.length === 0) return undefined;
  const what = "must set securityContext.runAsNonRoot=true";
  return { reason, detail: `pod or ${containersText(silent)} ${what}` };
}

function user(subject: Subject) {
  const pod = subject.own.runAsUser === 0;
  const names = namesWhere(subject, ({ runAsUser }) => runAsUser === 0);
  if (!pod && names.length === 0) return undefined;
  const detail = `${setters(pod, names)} must not set runAsUser=0`;
  return { reason: "runAsUser=0", detail };
}

function seccomp(subject: Subject, minor: number) {
  if (isWindows(subject, minor)) return undefined;
  const bad = badSeccomp(subject, ["", "RuntimeDefault", "Localhost"]);
  if (bad) return bad;
  const isSet = (context: JsonObject) => Boolean(context.seccompProfile);
  if (isSet(subject.own)) return undefined;
  const names = namesWhere(subject, (context) => !isSet(context));
  if (names.length === 0) return undefined;
  const what =
    'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  const detail = `pod or ${containersText(names)} ${what}`;
  return { reason: "seccompProfile", detail };
}
