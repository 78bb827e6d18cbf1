/** Certificate requests: who may ask for, approve and sign what. */
import { X509Certificate } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Credentials } from "../../../sim/src/api/transport.ts";
import { notAfterOf, signed } from "../../../sim/src/api/x509/certificate.ts";
import { parseRequest } from "../../../sim/src/api/x509/request.ts";
import { REQUESTS } from "./certificate-requests.ts";
import { type Bench, messageOf, newServer, userOf } from "./server.ts";

const csrs = {
  ...{ group: "certificates.k8s.io", resource: "certificatesigningrequests" },
  namespace: undefined,
} as const;
const CLIENT = "kubernetes.io/kube-apiserver-client";
const KUBELET = "kubernetes.io/kube-apiserver-client-kubelet";
const SERVING = "kubernetes.io/kubelet-serving";

const csr = (request: string, spec: object = {}, name = "a") => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name },
  spec: { request, signerName: CLIENT, usages: ["client auth"], ...spec },
});
const CERTIFICATE = signed({
  request: parseRequest(REQUESTS.jane),
  usages: ["client auth", "digital signature"],
  notBefore: "2026-01-01T00:00:00Z",
  notAfter: "2027-01-01T00:00:00Z",
  serial: Uint8Array.from({ length: 16 }, (_, i) => 200 + i),
});

describe("a certificate", () => {
  it("is read by others as it was meant", () => {
    const read = new X509Certificate(Buffer.from(CERTIFICATE, "base64"));
    expect(read.subject).toBe("O=dev\nO=ops\nCN=jane");
    expect(read.issuer).toBe("CN=kubernetes");
    expect(read.validTo).toBe("Jan  1 00:00:00 2027 GMT");
    expect(read.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(read.ca).toBe(false);
    expect(read.publicKey.asymmetricKeyType).toBe("ec");
    expect(notAfterOf(CERTIFICATE)).toBe("2027-01-01T00:00:00Z");
  });

  it("has the alternative names of its request", () => {
    const request = parseRequest(REQUESTS.serving);
    expect(request).toMatchObject({ dnsNames: ["n1"], ipCount: 1, commonName: "system:node:n1" });
    const times = { notBefore: "2026-01-01T00:00:00Z", notAfter: "2026-02-01T00:00:00Z" };
    const more = { request, usages: ["server auth"], serial: new Uint8Array(16).fill(1) };
    const read = new X509Certificate(Buffer.from(signed({ ...times, ...more }), "base64"));
    expect(read.subjectAltName).toBe("DNS:n1, IP Address:10.0.0.1");
    expect(parseRequest(REQUESTS.mail)).toMatchObject({
      ...{ emailAddresses: ["a@b.c"], uris: ["urn:x"], organizations: ["system:nodes"] },
    });
  });
});

describe("a certificate request", () => {
  let bench: Bench;
  beforeEach(() => {
    bench = newServer();
  });
  const create = (body: object, credentials?: Credentials) =>
    bench.ask({
      verb: "create",
      ...csrs,
      body: body as never,
      ...(credentials && { credentials }),
    });
  const change = (subresource: string | undefined, body: object, credentials?: Credentials) =>
    bench.ask({
      ...{ verb: "patch", ...csrs, name: "a", subresource, body: body as never },
      patchType: "application/merge-patch+json",
      ...(credentials && { credentials }),
    });
  const condition = (type: string, status = "True") => ({ type, status, reason: "R" });

  it("says who asks, whatever the asker wrote", () => {
    const jane = userOf("jane", "dev");
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
    const rbac = { group: "rbac.authorization.k8s.io", namespace: undefined } as const;
    bench.ask({
      ...{ verb: "create", ...rbac, resource: "clusterroles" },
      body: { metadata: { name: "all" }, rules },
    });
    bench.ask({
      ...{ verb: "create", ...rbac, resource: "clusterrolebindings" },
      body: {
        metadata: { name: "all" },
        roleRef: { apiGroup: rbac.group, kind: "ClusterRole", name: "all" },
        subjects: [{ apiGroup: rbac.group, kind: "User", name: "jane" }],
      },
    });
    const forged = { username: "root", groups: ["system:masters"], uid: "1", extra: { a: ["b"] } };
    const { code, body } = create(
      { ...csr(REQUESTS.jane, forged), status: { conditions: [condition("Approved")] } },
      jane,
    );
    expect([code, (body as { spec?: object }).spec]).toEqual([
      201,
      {
        request: REQUESTS.jane,
        signerName: CLIENT,
        usages: ["client auth"],
        username: "jane",
        groups: ["dev", "system:authenticated"],
      },
    ]);
    expect((body as { status?: object }).status).toEqual({});
    const kept = change(undefined, { spec: { usages: ["any"] }, metadata: { labels: { a: "b" } } });
    expect(kept.body).toMatchObject({
      metadata: { labels: { a: "b" } },
      spec: { usages: ["client auth"] },
    });
  });

  it.each<[string, object, string]>([
    [
      "garbage",
      csr("Z2FyYmFnZQ=="),
      "spec.request: Invalid value: []byte{0x67, 0x61, 0x72, 0x62, 0x61, 0x67, 0x65}: PEM block type must be CERTIFICATE REQUEST",
    ],
    ["no usages", csr(REQUESTS.jane, { usages: [] }), "spec.usages: Required value"],
    [
      "an unknown usage",
      csr(REQUESTS.jane, { usages: ["client auth", "fun"] }),
      'spec.usages[1]: Unsupported value: "fun": supported values: "any", "cert sign", "client auth"',
    ],
    [
      "a usage twice",
      csr(REQUESTS.jane, { usages: ["any", "any"] }),
      'spec.usages[1]: Duplicate value: "any"',
    ],
    ["no signer", csr(REQUESTS.jane, { signerName: "" }), "spec.signerName: Required value"],
    [
      "a signer without a domain",
      csr(REQUESTS.jane, { signerName: "me" }),
      "spec.signerName: Invalid value: \"me\": must be a fully qualified domain and path of the form 'example.com/signer-name'",
    ],
    [
      "the legacy signer",
      csr(REQUESTS.jane, { signerName: "kubernetes.io/legacy-unknown" }),
      "the legacy signerName is not allowed via this API version",
    ],
    [
      "a short life",
      csr(REQUESTS.jane, { expirationSeconds: 599 }),
      "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
    ],
    [
      "the group of masters",
      csr(REQUESTS.root),
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    ],
  ])("is refused with %s", (_, body, message) => {
    expect(messageOf(create(body))).toContain(message);
  });

  it("is approved at one endpoint and signed at another", () => {
    create(csr(REQUESTS.jane));
    const ignored = change("status", { status: { conditions: [condition("Approved")] } });
    expect(messageOf(ignored)).toContain(
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    );
    const status = { conditions: [condition("Approved")], certificate: CERTIFICATE };
    const approved = change("approval", { status });
    const now = bench.kernel.timestamp();
    const times = { lastUpdateTime: now, lastTransitionTime: now };
    expect(approved.body).toMatchObject({ status: { conditions: [times] } });
    expect(approved.body).not.toHaveProperty("status.certificate");
    const issued = change("status", { status: { certificate: CERTIFICATE } });
    expect(issued.body).toMatchObject({
      status: { certificate: CERTIFICATE, conditions: [condition("Approved")] },
    });
    expect(messageOf(change("status", { status: { certificate: null } }))).toContain(
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    );
  });

  it("is not approved and denied, and no verdict is taken back", () => {
    create(csr(REQUESTS.jane));
    change("approval", { status: { conditions: [condition("Denied")] } });
    const both = [condition("Denied"), condition("Approved")];
    expect(messageOf(change("approval", { status: { conditions: both } }))).toContain(
      'status.conditions: Invalid value: "Approved": Approved and Denied conditions are mutually exclusive',
    );
    expect(messageOf(change("approval", { status: { conditions: [] } }))).toContain(
      'status.conditions: Forbidden: updates may not remove a condition of type "Denied"',
    );
    const unsure = change("approval", { status: { conditions: [condition("Denied", "False")] } });
    expect(messageOf(unsure)).toContain('Unsupported value: "False": supported values: "True"');
  });

  it("needs a right for its signer, or for the signer's domain", () => {
    const rbac = { group: "rbac.authorization.k8s.io", namespace: undefined } as const;
    const allow = (user: string, signer: string, verb: string, subresource: string) => {
      const resources = [`certificatesigningrequests/${subresource}`];
      const rules = [
        { apiGroups: [csrs.group], resources, verbs: ["patch"] },
        { apiGroups: [csrs.group], resources: ["signers"], resourceNames: [signer], verbs: [verb] },
      ];
      const metadata = { name: user };
      bench.ask({ verb: "create", ...rbac, resource: "clusterroles", body: { metadata, rules } });
      const roleRef = { apiGroup: rbac.group, kind: "ClusterRole", name: user };
      const subjects = [{ apiGroup: rbac.group, kind: "User", name: user }];
      const body = { metadata, roleRef, subjects };
      bench.ask({ verb: "create", ...rbac, resource: "clusterrolebindings", body });
    };
    allow("exact", CLIENT, "approve", "approval");
    allow("domain", "kubernetes.io/*", "sign", "status");
    allow("other", SERVING, "approve", "approval");
    create(csr(REQUESTS.jane));
    const verdict = { status: { conditions: [condition("Approved")] } };
    expect(messageOf(change("approval", verdict, userOf("other")))).toBe(
      'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client"',
    );
    expect(change("approval", verdict, userOf("exact")).code).toBe(200);
    const certificate = { status: { certificate: CERTIFICATE } };
    expect(change("status", certificate, userOf("domain")).code).toBe(200);
  });

  it("of a kubelet is in its own name", () => {
    const kubelet = (node: string) => userOf(`system:node:${node}`, "system:nodes");
    for (const signerName of [KUBELET, SERVING]) {
      const body = csr(REQUESTS.node, { signerName }, signerName.replace("/", "."));
      expect(messageOf(create(body, kubelet("n2")))).toContain(
        "is forbidden: can only create a node CSR with CN=system:node:n2",
      );
      expect(create(body, kubelet("n1")).code).toBe(201);
    }
    const garbage = csr("Z2FyYmFnZQ==", { signerName: KUBELET });
    expect(messageOf(create(garbage, kubelet("n1")))).toContain(
      "is forbidden: unable to parse csr: PEM block type must be CERTIFICATE REQUEST",
    );
    expect(create(csr(REQUESTS.jane), kubelet("n1")).code).toBe(201);
  });
});
