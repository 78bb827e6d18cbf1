import { describe, expect, it } from "vitest";
import { isPulse } from "../../../sim/src/view/index.ts";

const step = (actor: string, verb: string, subject: string) => ({ actor, verb, subject });
const request = (actor: string, subject: string) => isPulse(step(actor, "request", subject), false);

describe("the pulse of a cluster", () => {
  it("is heartbeats, Events, renewed watches and what a node says of itself", () => {
    const lease = "PUT leases.coordination.k8s.io kube-node-lease/node-1";
    expect(request("kubelet/node-1", lease)).toBe(true);
    expect(request("kube-scheduler", "POST events default/web-x.1")).toBe(true);
    expect(request("kube-scheduler", "POST events.events.k8s.io default/web-x.1")).toBe(true);
    expect(request("kube-scheduler", "WATCH pods")).toBe(true);
    expect(request("kubelet/node-1", "PATCH nodes/status node-1")).toBe(true);
  });

  it("is not what others write of a node, nor a watch that a person asked for", () => {
    expect(request("node-lifecycle-controller", "PATCH nodes node-1")).toBe(false);
    expect(request("kubectl", "WATCH pods")).toBe(false);
    expect(request("kubelet/node-1", "PATCH pods/status default/web-x")).toBe(false);
  });

  it("is the runtime looked at and the log replicated, but no deed of either", () => {
    const runtime = (call: string) => isPulse(step("kubelet/node-1", "cri", call), false);
    expect(["ListPodSandbox", "ContainerStatus", "Status", "ImageFsInfo"].map(runtime)).toEqual(
      Array(4).fill(true),
    );
    expect(["StartContainer", "RunPodSandbox", "PullImage"].map(runtime)).toEqual(
      Array(3).fill(false),
    );
    const raft = (subject: string) => isPulse(step("etcd/cp-1", "raft", subject), false);
    expect([raft("appends 0 entries"), raft("becomes leader, term 2")]).toEqual([true, false]);
  });

  it("takes in what comes of it, up to the next request", () => {
    expect(isPulse(step("kube-apiserver", "txn", "/registry/leases/x"), true)).toBe(true);
    expect(isPulse(step("kube-scheduler", "request", "POST pods/binding"), true)).toBe(false);
  });
});
