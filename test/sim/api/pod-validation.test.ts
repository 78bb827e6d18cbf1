import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, container, pod, template, workload } from "./kinds-support.ts";

const one = (more: object) => ({ containers: [{ ...container, ...more }] });
const spread = { topologyKey: "a", whenUnsatisfiable: "DoNotSchedule", maxSkew: 1 };
const c = "spec.containers[0]";

describe("a Pod is refused for", () => {
  const rows: readonly (readonly [string, Record<string, unknown>, string])[] = [
    [
      "a hook that does nothing",
      one({ lifecycle: { preStop: {} } }),
      `${c}.lifecycle.preStop: Required value: must specify a handler type`,
    ],
    [
      "a nap that is longer than its grace",
      one({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
      `${c}.lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
    ],
    [
      "another port on the host's network",
      { hostNetwork: true, ...one({ ports: [{ containerPort: 80, hostPort: 81 }] }) },
      `${c}.ports[0].hostPort: Invalid value: 81: must match \`containerPort\` when \`hostNetwork\` is true`,
    ],
    [
      "spaces around an image",
      one({ image: " nginx" }),
      `${c}.image: Invalid value: " nginx": must not have leading or trailing whitespace`,
    ],
    [
      "a resource that is none",
      one({ resources: { limits: { foo: "1" } } }),
      `[${c}.resources.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, ` +
        `${c}.resources.limits[foo]: Invalid value: "foo": must be a standard resource for containers, ` +
        `${c}.resources.requests[foo]: Invalid value: "foo": must be a standard resource type or fully qualified, ` +
        `${c}.resources.requests[foo]: Invalid value: "foo": must be a standard resource for containers]`,
    ],
    [
      "a volume that is wrong, and its mount",
      {
        volumes: [{ name: "v", secret: {} }],
        ...one({ volumeMounts: [{ name: "v", mountPath: "/v" }] }),
      },
      `[spec.volumes[0].secret.secretName: Required value, ${c}.volumeMounts[0].name: Not found: "v"]`,
    ],
    [
      "a value where any is tolerated",
      { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
      "spec.tolerations[0].operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'",
    ],
    [
      "one spread twice",
      { topologySpreadConstraints: [1, 2].map(() => ({ ...spread, labelSelector: {} })) },
      'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{a, DoNotSchedule}"',
    ],
    [
      "a policy of spreading that is none",
      { topologySpreadConstraints: [{ ...spread, nodeTaintsPolicy: "x" }] },
      'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "x": supported values: "Honor", "Ignore"',
    ],
    [
      "no servers for its names",
      { dnsPolicy: "None" },
      "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
    ],
    [
      "a server that is none",
      { dnsConfig: { nameservers: ["a"], options: [{}] } },
      '[spec.dnsConfig.nameservers[0]: Invalid value: "a": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), ' +
        "spec.dnsConfig.options[0]: Required value: must not be empty]",
    ],
    [
      "a Node before its gates are open",
      { nodeName: "n", schedulingGates: [{ name: "a" }] },
      "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
    ],
    [
      "privileges that it may not gain",
      one({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
      `${c}.securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,` +
        '"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,' +
        '"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: ' +
        "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
    ],
  ];
  for (const [name, spec, expected] of rows) {
    it(name, () => expect(complaint(pod(spec))).toBe(expected));
  }

  it("gates that come late", () => {
    const gates = (...names: string[]) => pod({ schedulingGates: names.map((name) => ({ name })) });
    expect(changeComplaint(gates("a", "b"), gates("a"))).toBe(
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'b'",
    );
  });
});

describe("a template", () => {
  const of = (spec: object) => workload("Deployment", { template: { ...template, spec } });

  it("may leave the host's port to its Pods, and spaces around images", () => {
    const ports = [{ containerPort: 80 }];
    const spec = { hostNetwork: true, ...one({ ports, image: " nginx" }) };
    expect(complaint(of(spec))).toBe("");
  });

  it("has no ephemeral containers", () => {
    const ephemeralContainers = [{ name: "e", image: "x" }];
    expect(complaint(of({ ...template.spec, ephemeralContainers }))).toBe(
      "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
    );
  });
});
