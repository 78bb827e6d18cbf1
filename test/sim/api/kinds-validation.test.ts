import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../../../sim/src/api/field-error.ts";
import {
  changeComplaint,
  complaint,
  container,
  kindOf,
  pod,
  sent,
  template,
  workload,
} from "./kinds-support.ts";

describe("Pods", () => {
  it("are good with one container", () => {
    expect(complaint(pod({}))).toBe("");
  });

  it("have containers with distinct names and images, and a known restart policy", () => {
    const containers = [
      { name: "c", image: "x" },
      { name: "c", image: "" },
    ];
    expect(complaint(pod({ containers, restartPolicy: "Sometimes" }))).toBe(
      '[spec.containers[1].image: Required value, spec.containers[1].name: Duplicate value: "c", ' +
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"]',
    );
  });

  it("have at least one container", () => {
    expect(complaint(pod({ containers: [] }))).toBe("spec.containers: Required value");
  });

  it("ask for no more than their limit", () => {
    const resources = { requests: { cpu: "2" }, limits: { cpu: "1" } };
    expect(complaint(pod({ containers: [{ ...container, resources }] }))).toBe(
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    );
  });

  it("ask for an extended resource as much as they may have", () => {
    const resources = { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "2" } };
    expect(complaint(pod({ containers: [{ ...container, resources }] }))).toBe(
      'spec.containers[0].resources.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2',
    );
  });

  it("mount only volumes that they have", () => {
    const volumeMounts = [{ name: "data", mountPath: "/data" }];
    expect(complaint(pod({ containers: [{ ...container, volumeMounts }] }))).toBe(
      'spec.containers[0].volumeMounts[0].name: Not found: "data"',
    );
  });

  it("tolerate everything only with the operator Exists", () => {
    expect(complaint(pod({ tolerations: [{ operator: "Equal" }] }))).toBe(
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, ' +
        'which means "match all values and all keys"',
    );
  });

  it("probe liveness until the first success", () => {
    const livenessProbe = { httpGet: { port: 80 }, successThreshold: 2 };
    expect(complaint(pod({ containers: [{ ...container, livenessProbe }] }))).toBe(
      "spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1",
    );
  });

  it("probe with one handler", () => {
    expect(complaint(pod({ containers: [{ ...container, readinessProbe: {} }] }))).toBe(
      "spec.containers[0].readinessProbe: Required value: must specify a handler type",
    );
  });

  it("change their image, not their Node", () => {
    const of = (image: string) =>
      pod({ containers: [{ ...container, image, imagePullPolicy: "Always" }] });
    expect(changeComplaint(of("nginx:2"), of("nginx:1"))).toBe("");
    expect(changeComplaint(pod({ nodeName: "n1" }), pod({}))).toContain(
      "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`",
    );
  });

  it("gain tolerations, but lose none", () => {
    const one = [{ key: "a", operator: "Exists" }];
    const two = [...one, { key: "b", operator: "Exists" }];
    expect(changeComplaint(pod({ tolerations: two }), pod({ tolerations: one }))).toBe("");
    expect(changeComplaint(pod({ tolerations: one }), pod({ tolerations: two }))).toBe(
      "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
    );
  });
});

describe("metadata", () => {
  it("has a name of lower case", () => {
    expect(complaint(sent("v1", "ConfigMap", {}, "Bad_Name"))).toMatch(
      /^metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist/,
    );
  });

  it("has at most one controller", () => {
    const owner = { apiVersion: "v1", kind: "Pod", uid: "u", controller: true };
    const object = sent("v1", "ConfigMap", {});
    const ownerReferences = [
      { ...owner, name: "a" },
      { ...owner, name: "b" },
    ];
    expect(complaint({ ...object, metadata: { ...object.metadata, ownerReferences } })).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for a and b',
    );
  });

  it("keeps its name, and names the version that it changes", () => {
    const kind = kindOf("v1", "ConfigMap");
    const old = sent("v1", "ConfigMap", {});
    const next = { ...old, metadata: { ...old.metadata, name: "y" } };
    const told = kind.validateUpdate(next, old).map(fieldErrorText);
    expect([...new Set(told)]).toEqual([
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.name: Invalid value: "y": field is immutable',
    ]);
    // The registry and the kind's strategy check it, one after the other.
    expect(told.length).toBe(4);
  });

  it("gains no finalizers while it is being deleted, and is told twice", () => {
    const base = sent("v1", "ConfigMap", {});
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const old = {
      ...base,
      metadata: { ...base.metadata, deletionTimestamp, finalizers: ["e.com/f"] },
    };
    const next = { ...old, metadata: { ...old.metadata, finalizers: ["e.com/f", "e.com/g"] } };
    expect(changeComplaint(next, old)).toBe(
      "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, " +
        'found new finalizers []string{"e.com/g"}',
    );
  });
});

describe("workloads", () => {
  it("select what they make", () => {
    const other = { matchLabels: { app: "y" } };
    for (const kind of ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"]) {
      expect(complaint(workload(kind, {}))).toBe("");
      expect(complaint(workload(kind, { selector: other }))).toBe(
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      );
      // Upstream calls a ReplicaSet so, too.
      const name = kind === "ReplicaSet" ? "deployment" : kind.toLowerCase();
      expect(complaint(workload(kind, { selector: {} }))).toBe(
        `spec.selector: Invalid value: {}: empty selector is invalid for ${name}`,
      );
      expect(complaint(workload(kind, { selector: undefined }))).toContain(
        kind === "DaemonSet" ? "`selector` does not match" : "spec.selector: Required value",
      );
    }
  });

  it("make Pods that are always restarted", () => {
    const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
    expect(complaint(workload("Deployment", { template: once }))).toBe(
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    );
  });

  it("keep their selector", () => {
    const other = { matchLabels: { app: "z" } };
    const changed = { ...template, metadata: { labels: { app: "z" } } };
    const next = workload("Deployment", { selector: other, template: changed });
    expect(changeComplaint(next, workload("Deployment", {}))).toBe(
      'spec.selector: Invalid value: {"matchLabels":{"app":"z"}}: field is immutable',
    );
  });

  it("roll a Deployment by at least one Pod", () => {
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
    expect(complaint(workload("Deployment", { strategy }))).toBe(
      "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
    );
  });

  it("change of a StatefulSet only what can be changed", () => {
    const next = workload("StatefulSet", { serviceName: "b" });
    expect(changeComplaint(next, workload("StatefulSet", { serviceName: "a" }))).toMatch(
      /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas'/,
    );
    expect(
      changeComplaint(workload("StatefulSet", { replicas: 3 }), workload("StatefulSet", {})),
    ).toBe("");
  });
});

describe("Jobs", () => {
  const job = (spec: object) =>
    sent("batch/v1", "Job", {
      spec: { template: { spec: { containers: [container], restartPolicy: "Never" } }, ...spec },
    });

  it("end", () => {
    const template = { spec: { containers: [container] } };
    expect(complaint(job({ template }))).toBe(
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    );
    expect(complaint(job({}))).toBe("");
  });

  it("change what their Pods need while they are suspended and none runs", () => {
    const by = { manualSelector: true, selector: { matchLabels: { app: "j" } } };
    const template = (more: object, resources = {}) => ({
      metadata: { labels: { app: "j" } },
      spec: { containers: [{ ...container, resources }], restartPolicy: "Never", ...more },
    });
    const suspended = (status: object) => ({
      ...job({ ...by, suspend: true, template: template({}) }),
      status,
    });
    const started = { startTime: "2026-01-01T00:00:00Z" };
    const conditions = [{ type: "Suspended", status: "True" }];
    const fixed = /^spec.template: Invalid value: .*: field is immutable$/;
    const wants = { requests: { cpu: "2" } };
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
      },
    };
    const term = { topologyKey: "zone", labelSelector: {} };
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const rows: [object, object, RegExp][] = [
      [template({ nodeSelector: { a: "b" } }), {}, /^$/],
      [template({}, wants), {}, /^$/],
      [template({ affinity: { nodeAffinity } }), {}, /^$/],
      [template({ affinity: { podAffinity } }), {}, fixed],
      [template({ dnsPolicy: "Default" }), {}, fixed],
      [template({}, wants), started, fixed],
      [template({}, wants), { ...started, conditions }, /^$/],
      [template({}, wants), { active: 1, conditions }, fixed],
    ];
    for (const [next, status, expected] of rows) {
      const after = { ...suspended(status), ...job({ ...by, suspend: false, template: next }) };
      expect(changeComplaint(after, suspended(status))).toMatch(expected);
    }
  });

  it("are started by the clock with five fields", () => {
    const template = { spec: { containers: [container], restartPolicy: "Never" } };
    const cron = sent("batch/v1", "CronJob", {
      spec: { schedule: "* * *", jobTemplate: { spec: { template } } },
    });
    expect(complaint(cron)).toBe(
      'spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]',
    );
  });
});

describe("Services", () => {
  const service = (spec: object) => sent("v1", "Service", { spec });

  it("name their ports if they have several", () => {
    expect(complaint(service({ ports: [{ port: 80 }, { port: 81 }] }))).toBe(
      "[spec.ports[0].name: Required value, spec.ports[1].name: Required value]",
    );
  });

  it("keep their cluster IP", () => {
    const ports = [{ port: 80 }];
    const old = service({ ports, clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9"] });
    const next = service({ ports, clusterIP: "10.96.9.9", clusterIPs: ["10.96.0.9"] });
    expect(changeComplaint(next, old)).toBe(
      'spec.clusterIPs[0]: Invalid value: ["10.96.9.9"]: may not change once set',
    );
  });

  it("lose their cluster IP when they become a name", () => {
    const old = service({
      ports: [{ port: 80 }],
      clusterIP: "10.96.0.9",
      clusterIPs: ["10.96.0.9"],
    });
    const next = service({
      type: "ExternalName",
      externalName: "a.example",
      clusterIPs: ["10.96.0.9"],
    });
    expect(changeComplaint(next, old)).toBe("");
  });
});

describe("other kinds", () => {
  const rbac = "rbac.authorization.k8s.io";
  const cases: [string, string, object, string][] = [
    [
      "v1",
      "Secret",
      { type: "kubernetes.io/tls", data: { "tls.crt": "" } },
      "data[tls.key]: Required value",
    ],
    [
      "v1",
      "Node",
      { spec: { taints: [{ key: "a", effect: "Never" }] } },
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    [
      `${rbac}/v1`,
      "Role",
      { rules: [{ apiGroups: [""], resources: ["pods"], verbs: [] }] },
      "rules[0].verbs: Required value: verbs must contain at least one value",
    ],
    [
      `${rbac}/v1`,
      "ClusterRoleBinding",
      { roleRef: { kind: "Role", name: "r" } },
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ],
    [
      "scheduling.k8s.io/v1",
      "PriorityClass",
      { value: 2_000_000_000 },
      "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
    ],
    ["policy/v1", "PodDisruptionBudget", { spec: { minAvailable: "x" } }, ""],
    ["storage.k8s.io/v1", "StorageClass", {}, "provisioner: Required value"],
    [
      "networking.k8s.io/v1",
      "Ingress",
      { spec: {} },
      "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified",
    ],
    [
      "coordination.k8s.io/v1",
      "Lease",
      { spec: { leaseDurationSeconds: 0 } },
      "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
    ],
    [
      "v1",
      "PersistentVolumeClaim",
      { spec: { accessModes: ["ReadWriteOnce"] } },
      "spec.resources[storage]: Required value",
    ],
    [
      "discovery.k8s.io/v1",
      "EndpointSlice",
      { addressType: "IPX" },
      'addressType: Unsupported value: "IPX": supported values: "FQDN", "IPv4", "IPv6"',
    ],
    [
      "autoscaling/v2",
      "HorizontalPodAutoscaler",
      { spec: { maxReplicas: 0, scaleTargetRef: { kind: "Deployment", name: "d" } } },
      "[spec.maxReplicas: Invalid value: 0: must be greater than 0, spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`]",
    ],
    [
      "authorization.k8s.io/v1",
      "SelfSubjectAccessReview",
      { spec: { resourceAttributes: { verb: "get" } } },
      "",
    ],
  ];
  for (const [apiVersion, kind, fields, expected] of cases) {
    it(`refuse what is wrong: ${kind}`, () => {
      const told = complaint(sent(apiVersion, kind, fields as { [field: string]: unknown }));
      if (kind === "PodDisruptionBudget") {
        expect(told).toMatch(/^spec.minAvailable: Invalid value: "x": a valid percent string/);
      } else expect(told).toBe(expected);
    });
  }

  const utilization = { type: "Utilization", averageUtilization: 50 };
  const mean = { type: "AverageValue", averageValue: "1" };
  const metrics: [metric: object, expected: string][] = [
    [
      {},
      '[spec.metrics[0].type: Required value: must specify a metric source type, spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"]',
    ],
    [
      { type: "Pods" },
      "spec.metrics[0].pods: Required value: must populate information for the given metric source",
    ],
    [
      { type: "Resource", resource: { name: "cpu", target: utilization }, pods: {} },
      '[spec.metrics[0].pods.metric.name: Required value: must specify a metric name, spec.metrics[0].pods.target.type: Required value: must specify a metric target type, spec.metrics[0].pods.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue, spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue, spec.metrics[0].pods: Forbidden: must populate the given metric source only]',
    ],
    [
      { type: "Resource", resource: { name: "cpu", target: { ...utilization, ...mean } } },
      "spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
    ],
    [
      { type: "Resource", resource: { target: { type: "Value", averageValue: "0" } } },
      '[spec.metrics[0].resource.name: Required value: must specify a resource name, spec.metrics[0].resource.target.averageValue: Invalid value: "0": must be positive]',
    ],
    [
      {
        type: "ContainerResource",
        containerResource: { name: "cpu", container: "A", target: { type: "Utilization" } },
      },
      "[spec.metrics[0].containerResource.container: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?'), spec.metrics[0].containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization]",
    ],
    [
      { type: "External", external: { metric: { name: "a/b" }, target: { type: "Value" } } },
      "[spec.metrics[0].external.metric.name: Invalid value: \"a/b\": may not contain '/', spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target]",
    ],
    [
      {
        type: "External",
        external: { metric: { name: "a" }, target: { ...mean, value: "1" } },
      },
      "spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
    ],
    [
      {
        type: "Object",
        object: {
          describedObject: { kind: "..", name: "" },
          metric: { name: "a" },
          target: { type: "Value" },
        },
      },
      "[spec.metrics[0].object.describedObject.kind: Invalid value: \"..\": may not be '..', spec.metrics[0].object.describedObject.name: Required value, spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue]",
    ],
  ];
  it.each(metrics)("refuse a metric of an autoscaler: %j", (metric, expected) => {
    const scaleTargetRef = { kind: "Deployment", name: "d" };
    const spec = { scaleTargetRef, maxReplicas: 3, metrics: [metric] };
    expect(complaint(sent("autoscaling/v2", "HorizontalPodAutoscaler", { spec }))).toBe(expected);
  });

  it("order the bounds of a LimitRange", () => {
    const item = { type: "Container", min: { cpu: "2" }, max: { cpu: "1" } };
    const told = complaint(sent("v1", "LimitRange", { spec: { limits: [item, item] } }));
    expect(told).toContain(
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    );
    expect(told).toContain('spec.limits[1].type: Duplicate value: "Container"');
  });

  it("count whole objects in a ResourceQuota", () => {
    const hard = { pods: "500m", cpu: "-1", things: "1" };
    expect(complaint(sent("v1", "ResourceQuota", { spec: { hard } }))).toBe(
      '[spec.hard[pods]: Invalid value: "500m": must be an integer, ' +
        'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0, ' +
        'spec.hard[things]: Invalid value: "things": must be a standard resource type or fully qualified, ' +
        'spec.hard[things]: Invalid value: "things": must be a standard resource for quota]',
    );
  });

  it("keep an immutable ConfigMap", () => {
    const old = sent("v1", "ConfigMap", { immutable: true, data: { a: "1" } });
    const next = sent("v1", "ConfigMap", { immutable: true, data: { a: "2" } });
    expect(changeComplaint(next, old)).toBe(
      "data: Forbidden: field is immutable when `immutable` is set",
    );
  });

  it("keep the role of a binding", () => {
    const binding = (name: string) =>
      sent(`${rbac}/v1`, "RoleBinding", { roleRef: { kind: "Role", name } });
    expect(changeComplaint(binding("b"), binding("a"))).toBe(
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
    );
  });
});
