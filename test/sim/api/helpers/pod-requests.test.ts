import { describe, expect, it } from "vitest";
import { podRequests, SCORING_DEFAULTS } from "../../../../sim/src/api/helpers/pod-requests.ts";
import type { Container, Pod } from "../../../../sim/src/api/kinds/pod.ts";
import { deepFreeze } from "../../../../sim/src/api/types.ts";

function container(cpu: string, more: Partial<Container> = {}): Container {
  return { name: `c${cpu}`, image: "i", resources: { requests: { cpu } }, ...more };
}

function podWith(spec: Partial<Pod["spec"]>, status: Pod["status"] = {}): Pod {
  const metadata = { name: "p", namespace: "default" };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [], ...spec }, status };
}

const cpuOf = (pod: Pod) => podRequests(pod).get("cpu");
const sidecar = { restartPolicy: "Always" };

describe("the requests of a Pod", () => {
  it("add up over containers", () => {
    const containers = [container("250m"), container("1")];
    expect(cpuOf(podWith({ containers }))).toBe(1250);
  });

  it("take the greediest init container instead, if that is more", () => {
    const containers = [container("1")];
    expect(cpuOf(podWith({ containers, initContainers: [container("3"), container("2")] }))).toBe(
      3000,
    );
    expect(cpuOf(podWith({ containers, initContainers: [container("500m")] }))).toBe(1000);
  });

  it("count a sidecar with the containers, and with the init containers after it", () => {
    const containers = [container("1")];
    const before = [container("1", sidecar), container("2")];
    expect(cpuOf(podWith({ containers, initContainers: before }))).toBe(3000);
    const after = [container("2"), container("1", sidecar)];
    expect(cpuOf(podWith({ containers, initContainers: after }))).toBe(2000);
  });

  it("are those of the whole Pod where it has its own; overhead is on top", () => {
    const containers = [container("1")];
    const resources = { requests: { cpu: "4" } };
    expect(cpuOf(podWith({ containers, resources, overhead: { cpu: "250m" } }))).toBe(4250);
  });

  it("are the larger of wanted and actual while a container is resized", () => {
    const containers = [container("1", { name: "c" })];
    const resized = {
      ...{ name: "c", ready: true, restartCount: 0, image: "i", imageID: "" },
      resources: { requests: { cpu: "2" } },
    };
    expect(cpuOf(podWith({ containers }, { containerStatuses: [resized] }))).toBe(2000);
  });

  it("fill in defaults where asked to", () => {
    const containers = [container("1"), { name: "d", image: "i" }];
    const filled = podRequests(podWith({ containers }), SCORING_DEFAULTS);
    expect(filled.get("cpu")).toBe(1100);
    expect(filled.get("memory")).toBe(2 * 200 * 1024 * 1024);
  });

  it("are added up once for a Pod that cannot change", () => {
    const pod = deepFreeze(podWith({ containers: [container("1")] }));
    expect(podRequests(pod)).toBe(podRequests(pod));
    const open = podWith({ containers: [container("1")] });
    expect(cpuOf(open)).toBe(1000);
    Object.assign(open, { spec: { containers: [container("2")] } });
    expect(cpuOf(open)).toBe(2000);
  });
});
