import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../../sim/src/api/kinds/index.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { warningsOf } from "../../../sim/src/api/warnings/index.ts";
import { messageOf, newServer } from "../apiserver/server.ts";
import { container, defaulted, kindOf, pod, sent, template, workload } from "./kinds-support.ts";

function told(object: KubeObject, old?: KubeObject): readonly string[] {
  const kind = kindOf(object.apiVersion, object.kind);
  const [next, before] = [object, old].map((one) => one && fieldsOf(defaulted(one)));
  return warningsOf(kind, next!, before);
}

const oneContainer = (more: object) => pod({ containers: [{ ...container, ...more }] });
const zone = "failure-domain.beta.kubernetes.io/zone";
const zoneIs = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
const nothing = "a null labelSelector results in matching no pod";
const term = (key: string, values = ["a"]) => ({
  matchExpressions: [{ key, operator: "In", values }],
});
const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";

describe("warnings of Pods", () => {
  const rows: readonly (readonly [string, KubeObject, readonly string[]])[] = [
    ["a plain one", pod({}), []],
    [
      "a name that is no label",
      sent("v1", "Pod", { spec: { containers: [container] } }, "a.b"),
      [
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    ],
    [
      "an old node label",
      pod({ nodeSelector: { [zone]: "a" } }),
      [`spec.nodeSelector[${zone}]: ${zoneIs}`],
    ],
    [
      "node affinity",
      pod({
        affinity: {
          nodeAffinity: {
            [hard]: { nodeSelectorTerms: [term(zone)] },
            [soft]: [{ weight: 1, preference: term("a", ["_"]) }],
          },
        },
      }),
      [
        `spec.affinity.nodeAffinity.${hard}.nodeSelectorTerms[0].matchExpressions[0].key: ${zone} is ${zoneIs}`,
        expect.stringMatching(
          /preference\.matchExpressions\[0\]\.values\[0\]: _ is invalid, a valid label must be/,
        ),
      ],
    ],
    [
      "pod affinity without selector",
      pod({ affinity: { podAntiAffinity: { [hard]: [{ topologyKey: "a" }] } } }),
      [`spec.affinity.podAntiAffinity.${hard}[0].labelSelector: ${nothing}`],
    ],
    [
      "spread without selector",
      pod({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway" },
        ],
      }),
      [`spec.topologySpreadConstraints[0].labelSelector: ${nothing}`],
    ],
    [
      "gitRepo",
      pod({ volumes: [{ name: "v", gitRepo: { repository: "x" } }] }),
      ["spec.volumes[0].gitRepo: deprecated in v1.11"],
    ],
    [
      "twice the same file",
      pod({
        volumes: [
          {
            name: "v",
            configMap: {
              name: "m",
              items: [
                { key: "a", path: "p" },
                { key: "b", path: "p/q" },
              ],
            },
          },
        ],
      }),
      ['volume "v" (ConfigMap "m"): overlapping paths: "p/q" with "p"'],
    ],
    [
      "twice the same secret",
      pod({ imagePullSecrets: [{ name: "a" }, { name: "a" }, {}] }),
      [
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
      ],
    ],
    [
      "half a byte",
      oneContainer({ resources: { requests: { memory: "500m" } } }),
      [
        'spec.containers[0].resources.requests[memory]: fractional byte value "500m" is invalid, must be an integer',
      ],
    ],
    [
      "a variable set again",
      oneContainer({
        env: [
          { name: "A", value: "1" },
          { name: "A", value: "$(A)2" },
          { name: "A", value: "3" },
        ],
      }),
      [
        'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
      ],
    ],
    [
      "a port twice",
      oneContainer({ ports: [{ containerPort: 80 }, { containerPort: 80, name: "b" }] }),
      ["spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"],
    ],
    [
      "a host's address without its port",
      oneContainer({ ports: [{ containerPort: 80, hostIP: "10.0.0.1" }] }),
      [
        "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}",
      ],
    ],
    [
      "negative grace",
      pod({ terminationGracePeriodSeconds: -1 }),
      [
        "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
      ],
    ],
  ];
  for (const [name, object, expected] of rows) {
    it(`are told of: ${name}`, () => expect(told(object)).toEqual(expected));
  }

  it("are not told of a change", () => {
    const object = pod({ terminationGracePeriodSeconds: -1 });
    expect(told(object, object)).toEqual([]);
  });
});

describe("warnings of other kinds", () => {
  const service = (spec: object) =>
    sent("v1", "Service", { spec: { ports: [{ port: 1 }], ...spec } });
  const rows: readonly (readonly [string, KubeObject, readonly string[]])[] = [
    [
      "a template's are at its path",
      workload("Deployment", {
        template: { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } },
      }),
      [
        "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
      ],
    ],
    [
      "StatefulSet",
      workload("StatefulSet", { revisionHistoryLimit: -1 }),
      [
        "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
      ],
    ],
    [
      "headless Service",
      service({ clusterIP: "None", sessionAffinity: "ClientIP" }),
      ["spec.SessionAffinity is ignored for headless services"],
    ],
    [
      "Service with a name of elsewhere",
      service({ externalName: "a.b", trafficDistribution: "PreferClose" }),
      [
        'spec.externalName is ignored when spec.type is not "ExternalName"',
        'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
      ],
    ],
    [
      "TLS Secret that holds none",
      sent("v1", "Secret", {
        type: "kubernetes.io/tls",
        data: { "tls.crt": "YQ==", "tls.key": "YQ==" },
      }),
      ["tls: failed to find any PEM data in certificate input"],
    ],
    [
      "PersistentVolume",
      sent("v1", "PersistentVolume", {
        spec: { persistentVolumeReclaimPolicy: "Recycle", rbd: {} },
      }),
      [
        "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
      ],
    ],
    [
      "Ingress of the old annotation",
      {
        ...sent("networking.k8s.io/v1", "Ingress", {}),
        metadata: { name: "x", annotations: { "kubernetes.io/ingress.class": "a" } },
      },
      [
        "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead",
      ],
    ],
  ];
  for (const [name, object, expected] of rows) {
    it(name, () => expect(told(object)).toEqual(expected));
  }
});

describe("a server", () => {
  it("warns clients that name themselves, when nothing is wrong", () => {
    const { ask } = newServer();
    const create = (options: object, spec = {}) =>
      ask({
        verb: "create",
        group: "apps",
        resource: "deployments",
        options: { dryRun: ["All"], ...options },
        body: workload("Deployment", { revisionHistoryLimit: 1, ...spec }),
      });
    const bad = { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } };
    const warned = create({ fieldManager: "me" }, { template: bad });
    expect(warned.code, messageOf(warned)).toBe(201);
    expect(warned.warnings?.length).toBe(1);
    expect(create({}, { template: bad }).warnings).toBeUndefined();
    expect(create({ fieldManager: "me" }).warnings).toBeUndefined();
    const refused = create({ fieldManager: "me" }, { template: bad, replicas: -1 });
    expect([refused.code, refused.warnings]).toEqual([422, undefined]);
  });
});
