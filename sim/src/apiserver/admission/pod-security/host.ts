/**
 * What a Pod may not take of its host, at the level baseline.
 * Models: check_host*.go, check_windowsHostProcess.go of
 *         k8s.io/pod-security-admission/policy @ v1.36
 */
import { at, list, num, obj, str } from "../../../api/kinds/access.ts";
import type { JsonObject } from "../../../api/types.ts";
import {
  containersText,
  namesWhere,
  plural,
  quoted,
  type Subject,
  setters,
  sorted,
} from "./words.ts";

export function hostNamespaces({ spec }: Subject) {
  const used = ["hostNetwork", "hostPID", "hostIPC"].filter(
    (field) => spec[field] === true,
  );
  if (used.length === 0) return undefined;
  const detail = used.map((field) => `${field}=true`).join(", ");
  return { reason: "host namespaces", detail };
}

export function hostPaths({ spec }: Subject) {
  const names = list(spec.volumes)
    .filter(({ hostPath }) => hostPath)
    .map(({ name }) => str(name));
  if (names.length === 0) return undefined;
  const detail = `${plural("volume", "volumes", names.length)} ${quoted(names)}`;
  return { reason: "hostPath volumes", detail };
}

export function hostPorts(subject: Subject) {
  const found: string[] = [];
  const names = namesWhere(subject, (_, container) => {
    const ports = list(container.ports)
      .map(({ hostPort }) => num(hostPort))
      .filter((port) => port !== 0);
    found.push(...ports.map(String));
    return ports.length > 0;
  });
  if (names.length === 0) return undefined;
  const ports = sorted(found);
  const uses = plural("uses", "use", names.length);
  const what = plural("hostPort", "hostPorts", ports.length);
  const detail = `${containersText(names)} ${uses} ${what} ${ports.join(", ")}`;
  return { reason: "hostPort", detail };
}

export function probeHosts(subject: Subject) {
  const found: string[] = [];
  const names = namesWhere(subject, (_, container) => {
    const { livenessProbe, readinessProbe, startupProbe } = container;
    const { postStart, preStop } = obj(container.lifecycle);
    const all = [
      livenessProbe,
      readinessProbe,
      startupProbe,
      postStart,
      preStop,
    ];
    const hosts = all
      .flatMap((one) => [
        at(one, "httpGet", "host"),
        at(one, "tcpSocket", "host"),
      ])
      .map(str)
      .filter(Boolean);
    found.push(...hosts);
    return hosts.length > 0;
  });
  if (names.length === 0) return undefined;
  const hosts = sorted(found);
  const reason = "probe or lifecycle host";
  const uses = plural("uses", "use", names.length);
  const what = plural(reason, `${reason}s`, hosts.length);
  const who = containersText(sorted(names));
  return { reason, detail: `${who} ${uses} ${what} ${quoted(hosts)}` };
}

export function hostProcess(subject: Subject) {
  const isBad = (context: JsonObject) =>
    at(context, "windowsOptions", "hostProcess") === true;
  const pod = isBad(subject.own);
  const names = namesWhere(subject, isBad);
  if (!pod && names.length === 0) return undefined;
  const what = "must not set securityContext.windowsOptions.hostProcess=true";
  return { reason: "hostProcess", detail: `${setters(pod, names)} ${what}` };
}
