/**
 * Containers, as Pods and templates show them.
 * Models:     kubectl/pkg/describe/describe.go (describeContainers) @ v1.36
 */
import { goValue, quote } from "../../api/go-text.ts";
import {
  at,
  list,
  map,
  num,
  obj,
  str,
  strings,
} from "../../api/kinds/access.ts";
import type { Json, JsonObject } from "../../api/types.ts";
import { longTime } from "../time.ts";
import { writeEnvironment } from "./container-env.ts";
import type { Writer } from "./writer.ts";

export interface ContainersOptions {
  /** Absent: a template's containers have none. */
  readonly statuses?: readonly JsonObject[];
  /** Before each line: "" for a Pod, "  " for a template. */
  readonly space: string;
  /** The Pod that field references are read from. */
  readonly pod?: JsonObject;
}

export function writeContainers(
  w: Writer,
  label: string,
  containers: readonly JsonObject[],
  options: ContainersOptions,
): void {
  const { space, statuses = [] } = options;
  w.line(0, `${space}${label}:${containers.length > 0 ? "" : " <none>"}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    w.line(1, `${space ? " " : ""}${container.name}:`);
    writeBasics(w, container, status);
    writeCommand(w, "Command", container.command);
    writeCommand(w, "Args", container.args);
    if (status) writeState(w, status);
    writeResources(w, container.resources);
    writeProbes(w, container);
    writeEnvironment(w, container, options.pod);
    writeMounts(w, container);
  }
}

function writeBasics(
  w: Writer,
  container: JsonObject,
  status: JsonObject | undefined,
): void {
  const ports = list(container.ports);
  const own = ports.map(({ containerPort, protocol, name }) => {
    return `${containerPort}/${protocol ?? ""}${name ? ` (${name})` : ""}`;
  });
  const host = ports.map(({ hostPort, protocol, name }) => {
    return `${hostPort ?? 0}/${protocol ?? ""}${name ? ` (${name})` : ""}`;
  });
  if (status) w.field(2, "Container ID", str(status.containerID));
  w.field(2, "Image", str(container.image));
  if (status) w.field(2, "Image ID", str(status.imageID));
  const s = own.length > 1 ? "s" : "";
  w.field(2, `Port${s}`, own.join(", ") || "<none>");
  w.field(2, `Host Port${s}`, host.join(", ") || "<none>");
  const seccomp = obj(at(container, "securityContext", "seccompProfile"));
  if (!seccomp.type) return;
  w.field(2, "SeccompProfile", str(seccomp.type));
  if (seccomp.type === "Localhost")
    w.field(3, "LocalhostProfile", str(seccomp.localhostProfile));
}

function writeCommand(w: Writer, title: string, words: Json): void {
  const lines = strings(words).flatMap((word) => word.split("\n"));
  if (strings(words).length === 0) return;
  w.line(2, `${title}:`);
  for (const line of lines) w.line(3, line);
}

function writeState(w: Writer, status: JsonObject): void {
  writeOneState(w, "State", obj(status.state));
  const last = obj(status.lastState);
  if (last.terminated) writeOneState(w, "Last State", last);
  w.field(2, "Ready", status.ready ? "True" : "False");
  w.field(2, "Restart Count", num(status.restartCount));
}

function writeOneState(w: Writer, title: string, state: JsonObject): void {
  const { running, terminated } = state;
  if (running) {
    w.field(2, title, "Running");
    w.line(3, `Started:\t${longTime(at(running, "startedAt"))}`);
    return;
  }
  if (!terminated) {
    w.field(2, title, "Waiting");
    const reason = str(at(state.waiting, "reason"));
    if (reason) w.field(3, "Reason", reason);
    return;
  }
  const end = obj(terminated);
  w.field(2, title, "Terminated");
  if (end.reason) w.field(3, "Reason", end.reason);
  if (end.message) w.field(3, "Message", end.message);
  w.field(3, "Exit Code", num(end.exitCode));
  if (num(end.signal) > 0) w.field(3, "Signal", end.signal);
  w.field(3, "Started", longTime(end.startedAt));
  w.field(3, "Finished", longTime(end.finishedAt));
}

/** Limits and requests; also a Pod's own. */
export function writeResources(w: Writer, resources: Json, level = 2): void {
  for (const [title, field] of [
    ["Limits", "limits"],
    ["Requests", "requests"],
  ] as const) {
    const amounts = map(at(resources, field));
    const names = Object.keys(amounts).toSorted();
    if (names.length === 0) continue;
    w.line(level, `${title}:`);
    for (const name of names) w.field(level + 1, name, amounts[name]);
  }
}

function writeProbes(w: Writer, container: JsonObject): void {
  for (const [title, field] of [
    ["Liveness", "livenessProbe"],
    ["Readiness", "readinessProbe"],
    ["Startup", "startupProbe"],
  ] as const) {
    if (container[field]) w.field(2, title, probeText(obj(container[field])));
  }
}

function probeText(probe: JsonObject): string {
  const attributes =
    `delay=${num(probe.initialDelaySeconds)}s ` +
    `timeout=${num(probe.timeoutSeconds)}s ` +
    `period=${num(probe.periodSeconds)}s ` +
    `#success=${num(probe.successThreshold)} ` +
    `#failure=${num(probe.failureThreshold)}`;
  return `${actionText(probe)} ${attributes}`;
}

function actionText({ exec, httpGet, tcpSocket, grpc }: JsonObject): string {
  if (exec) return `exec ${goValue(at(exec, "command") ?? [])}`;
  if (httpGet) {
    const { scheme, host, port, path } = obj(httpGet);
    const start = `${str(scheme).toLowerCase()}://${str(host)}`;
    const text = str(path);
    return `http-get ${start}:${port ?? ""}${text.startsWith("/") ? "" : "/"}${text}`;
  }
  if (tcpSocket) {
    const { host, port } = obj(tcpSocket);
    return `tcp-socket ${str(host)}:${port ?? ""}`;
  }
  if (grpc) {
    const { port, service } = obj(grpc);
    return `grpc <pod>:${port} ${str(service)}`;
  }
  return "unknown";
}

function writeMounts(w: Writer, container: JsonObject): void {
  const mounts = list(container.volumeMounts).toSorted((a, b) =>
    str(a.mountPath) < str(b.mountPath) ? -1 : 1,
  );
  w.line(2, `Mounts:${mounts.length === 0 ? "\t<none>" : ""}`);
  for (const { mountPath, name, readOnly, subPath } of mounts) {
    const ways = [readOnly ? "ro" : "rw"];
    if (subPath) ways.push(`path=${quote(str(subPath))}`);
    w.line(3, `${mountPath} from ${name} (${ways.join(",")})`);
  }
  const devices = list(container.volumeDevices);
  if (devices.length === 0) return;
  w.line(2, "Devices:");
  for (const { devicePath, name } of devices)
    w.line(3, `${devicePath} from ${name}`);
}
