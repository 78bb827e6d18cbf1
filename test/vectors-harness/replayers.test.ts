/** Replayers take what the formats allow, not only what our own files hold. */
import { describe, expect, it } from "vitest";
import * as endpointslices from "./endpointslices.ts";
import type { VectorFile } from "./harness.ts";
import * as hpa from "./hpa.ts";

function file(json: Record<string, unknown>): VectorFile {
  return { behaviour: "x", path: "x.json", dir: ".", json };
}

describe("the replayer of endpointslices", () => {
  const state = "ready=true serving=true terminating=false";
  const service = { clusterIP: "None", ports: [{ name: "http", port: 80, targetPort: 8080 }] };
  const labels = {
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    "kubernetes.io/service-name": "web",
    "service.kubernetes.io/headless": "",
  };
  const slice = { endpoints: 1, ports: ["http TCP 8080"], labels };

  it("finds a hostname wherever the line has it", () => {
    const line = `10.244.0.2 ${state} node=n0 zone=za target=Pod/web-0 hostname=db-0`;
    const slices = [{ ...slice, addressType: "IPv4", list: [line] }];
    const { failures } = endpointslices.replay(file({ cases: [{ pods: "H", service, slices }] }));
    expect(failures).toEqual([]);
  });

  it("takes the families, and Pods' addresses in them, from the slices", () => {
    const line = `fd00:10::2 ${state} node=n0 zone=za target=Pod/web-0`;
    const slices = [{ ...slice, addressType: "IPv6", list: [line] }];
    const { failures } = endpointslices.replay(file({ cases: [{ pods: "R", service, slices }] }));
    expect(failures).toEqual([]);
  });
});

describe("the replayer of hpa", () => {
  it("expects the error of a Pods metric too", () => {
    const error = "did not receive metrics for targeted pods (pods might be unready)";
    const without = { kind: "Pods AverageValue", target: 20_000, usage: [-1, -1], error };
    const { passed } = hpa.replay(file({ cases: [without] }));
    expect(passed).toBe(1);
    const { failures } = hpa.replay(file({ cases: [{ ...without, usage: [1, 1] }] }));
    expect(failures).toHaveLength(1);
  });
});
