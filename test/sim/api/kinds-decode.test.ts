import { describe, expect, it } from "vitest";
import { deployment, kindOf, kinds, object } from "./kinds-decode-support.ts";

describe("decoding", () => {
  const told = (spec: unknown): string => {
    try {
      kinds.decode(kindOf("apps/v1", "Deployment"), { ...deployment, spec });
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };

  it("names the Go struct and the whole path of a wrong type", () => {
    expect(told({ replicas: "two" })).toBe(
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    );
    expect(told({ template: { spec: { containers: [{ name: 1 }] } } })).toBe(
      "json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.name of type string",
    );
    expect(told({ template: { spec: { containers: "none" } } })).toBe(
      "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container",
    );
    expect(told({ template: { metadata: { labels: { a: true } } } })).toBe(
      "json: cannot unmarshal bool into Go struct field ObjectMeta.spec.template.metadata.labels of type string",
    );
    expect(told({ replicas: 1.5 })).toBe(
      "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
    );
    expect(told("x")).toBe(
      "json: cannot unmarshal string into Go struct field Deployment.spec of type v1.DeploymentSpec",
    );
  });

  it("refuses quantities, times and bytes that are none", () => {
    const resources = { requests: { cpu: "2q" } };
    expect(told({ template: { spec: { containers: [{ resources }] } } })).toMatch(
      /^quantities must match the regular expression/,
    );
    const secret = kindOf("v1", "Secret");
    expect(() => kinds.decode(secret, object("v1", "Secret", { data: { a: "!" } }))).toThrow(
      "illegal base64 data at input byte 0",
    );
  });

  it("finds unknown fields with their place, and drops them", () => {
    const spec = { replicaz: 1, template: { spec: { containers: [{ name: "c", imago: "x" }] } } };
    const found = kinds.decode(kindOf("apps/v1", "Deployment"), { ...deployment, spec });
    expect(found.unknown).toEqual(["spec.replicaz", "spec.template.spec.containers[0].imago"]);
    expect(found.object.spec).not.toHaveProperty("replicaz");
  });

  it("keeps zeros behind pointers, drops empty optional values", () => {
    const spec = { replicas: 0, paused: false, minReadySeconds: 0, selector: {}, template: {} };
    const { object: kept } = kinds.decode(kindOf("apps/v1", "Deployment"), { ...deployment, spec });
    expect(kept.spec).toMatchObject({ replicas: 0, selector: {} });
    expect(kept.spec).not.toHaveProperty("paused");
    expect(kept.spec).not.toHaveProperty("minReadySeconds");
  });

  it("writes quantities and times in their canonical form", () => {
    const quota = object("v1", "ResourceQuota", { spec: { hard: { cpu: "1000m", memory: 1024 } } });
    expect(kinds.decode(kindOf("v1", "ResourceQuota"), quota).object.spec).toEqual({
      hard: { cpu: "1", memory: "1024" },
    });
    const event = object("v1", "Event", {
      involvedObject: {},
      firstTimestamp: "2026-01-01T09:00:00+09:00",
      eventTime: "2026-01-01T00:00:00Z",
    });
    expect(kinds.decode(kindOf("v1", "Event"), event).object).toMatchObject({
      firstTimestamp: "2026-01-01T00:00:00Z",
      eventTime: "2026-01-01T00:00:00.000000Z",
    });
  });

  it("writes the times of an Event that it has not", () => {
    const times = { eventTime: null, firstTimestamp: null, lastTimestamp: null };
    for (const sent of [{}, times]) {
      const event = object("v1", "Event", { involvedObject: {}, ...sent });
      const decoded = kinds.decode(kindOf("v1", "Event"), event).object;
      expect(decoded).toMatchObject(times);
      expect(kinds.decode(kindOf("v1", "Event"), decoded).object).toBe(decoded);
    }
    const newer = object("events.k8s.io/v1", "Event", {});
    expect(kinds.decode(kindOf("events.k8s.io/v1", "Event"), newer).object).toMatchObject({
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
    });
  });

  it("gives back the object itself if there is nothing to change", () => {
    const kind = kindOf("apps/v1", "Deployment");
    const once = kinds.decode(kind, deployment).object;
    expect(kinds.decode(kind, once).object).toBe(once);
  });

  it("encodes a Secret of nearly a mebibyte", () => {
    const a = "x".repeat(1_000_000);
    const secret = object("v1", "Secret", { stringData: { a } });
    const { data } = kinds.decode(kindOf("v1", "Secret"), secret).object;
    expect(data).toEqual({ a: Buffer.from(a).toString("base64") });
  });

  it("encodes stringData of a Secret into data", () => {
    const secret = object("v1", "Secret", { stringData: { a: "é" }, data: { b: "Yg==" } });
    expect(kinds.decode(kindOf("v1", "Secret"), secret).object.data).toEqual({
      a: "w6k=",
      b: "Yg==",
    });
  });
});

describe("defaults that depend on others", () => {
  const podOf = (spec: { [field: string]: unknown }) =>
    kinds.applyDefaults(kindOf("v1", "Pod"), object("v1", "Pod", { spec }));
  it("pull an image always only if it is the latest", () => {
    const images = {
      nginx: "Always",
      "nginx:latest": "Always",
      "nginx:1.25": "IfNotPresent",
      "localhost:5000/nginx": "Always",
      "localhost:5000/nginx:1": "IfNotPresent",
      [`nginx@sha256:${"a".repeat(64)}`]: "IfNotPresent",
      Nginx: "IfNotPresent",
      "": "IfNotPresent",
    };
    for (const [image, policy] of Object.entries(images)) {
      expect(podOf({ containers: [{ name: "c", image }] })).toMatchObject({
        spec: { containers: [{ imagePullPolicy: policy }] },
      });
    }
  });

  it("count amounts in thousandths at the finest", () => {
    const quota = object("v1", "ResourceQuota", { spec: { hard: { cpu: "100u", memory: "1Gi" } } });
    expect(kinds.applyDefaults(kindOf("v1", "ResourceQuota"), quota)).toMatchObject({
      spec: { hard: { cpu: "1m", memory: "1Gi" } },
    });
  });

  it("let a Pod as a whole ask for what its containers do, else for its limit", () => {
    const ask = (cpu: string) => ({ name: "c", image: "x", resources: { requests: { cpu } } });
    const spec = {
      resources: { limits: { cpu: "2", memory: "1Gi" } },
      containers: [ask("300m"), ask("200m")],
      initContainers: [{ ...ask("100m"), restartPolicy: "Always" }, ask("1")],
    };
    expect(podOf(spec)).toMatchObject({
      spec: { resources: { requests: { cpu: "1100m", memory: "1Gi" } } },
    });
  });

  it("open a container's port on the Node when the Pod has the Node's network", () => {
    const ports = [{ containerPort: 80 }];
    const spec = { hostNetwork: true, containers: [{ name: "c", image: "x", ports }] };
    expect(podOf(spec)).toMatchObject({
      spec: { containers: [{ ports: [{ containerPort: 80, hostPort: 80, protocol: "TCP" }] }] },
    });
  });
});
