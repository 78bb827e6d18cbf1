/** The controllers of certificate requests, in a whole cluster. */
import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CertificateSigningRequest } from "../../../sim/src/api/kinds/certificatesigningrequest.ts";
import { nodeIdentity } from "../../../sim/src/cluster/identities.ts";
import { REQUESTS } from "../apiserver/certificate-requests.ts";
import { type World, world } from "../misconceptions/world.ts";
import { testCluster } from "./cluster.ts";

const CLIENT = "kubernetes.io/kube-apiserver-client";
const KUBELET = "kubernetes.io/kube-apiserver-client-kubelet";
const SERVING = "kubernetes.io/kubelet-serving";
const OF_KUBELETS = ["client auth", "digital signature"];

const request = (name: string, spec: object): CertificateSigningRequest => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name },
  spec: { request: REQUESTS.jane, signerName: CLIENT, usages: ["client auth"], ...spec },
});

async function started(): Promise<World> {
  const w = world({ nodes: 0 });
  await w.until(5);
  return w;
}
const make = (w: World, body: CertificateSigningRequest, node?: string) =>
  w.act(
    (client) => client.create(CertificateSigningRequest, body),
    ...(node ? [nodeIdentity(node)] : []),
  );
const read = (w: World, name: string) =>
  w.act((client) => client.get(CertificateSigningRequest, "", name));
const certificateOf = ({ status }: CertificateSigningRequest) =>
  new X509Certificate(Buffer.from(status?.certificate ?? "", "base64"));
/** Conditions of a request: `Approved AutoApproved`. */
const told = ({ status }: CertificateSigningRequest) =>
  (status?.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);
const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000;

describe("certificate requests", () => {
  it("of a person wait for one, who approves them; then they are signed for a year", async () => {
    const w = await started();
    await make(w, request("jane", {}));
    await w.more(5);
    expect(await w.kubectl("get csr")).toMatch(
      /^NAME +AGE +SIGNERNAME +REQUESTOR +REQUESTEDDURATION +CONDITION\njane +\ds +kubernetes.io\/kube-apiserver-client +kubernetes-admin +<none> +Pending$/,
    );
    expect(await w.kubectl("certificate approve jane")).toBe(
      "certificatesigningrequest.certificates.k8s.io/jane approved",
    );
    await w.more(5);
    expect(await w.kubectl("get csr jane --no-headers")).toMatch(/ Approved,Issued$/);
    const csr = await read(w, "jane");
    expect(told(csr)).toEqual(["Approved KubectlApprove"]);
    const { subject, validFrom, validTo } = certificateOf(csr);
    expect(subject).toBe("O=dev\nO=ops\nCN=jane");
    expect(hours(validFrom, validTo)).toBe(365 * 24);
    expect(await w.kubectl("certificate deny jane")).toContain(
      'certificate signing request "jane" is already Approved',
    );
  });

  it("that are denied are not signed, and name what is not there", async () => {
    const w = await started();
    await make(w, request("jane", {}));
    await w.kubectl("certificate deny jane");
    await w.more(5);
    expect(await w.kubectl("get csr --no-headers")).toMatch(/ Denied$/);
    expect(await w.kubectl("certificate approve no")).toContain(
      'certificatesigningrequests.certificates.k8s.io "no" not found',
    );
    expect(await w.kubectl("certificate constructor jane")).toContain(
      'unknown command "certificate constructor"',
    );
    expect(await w.kubectl("certificate approve")).toContain(
      "error: one or more CSRs must be specified as <name> or -f <filename>",
    );
  });

  it("of a kubelet for itself are approved and signed, for as long as it asks", async () => {
    const w = await started();
    const spec = { request: REQUESTS.node, signerName: KUBELET, usages: OF_KUBELETS };
    await make(w, request("own", { ...spec, expirationSeconds: 3600 }), "n1");
    await w.more(5);
    const csr = await read(w, "own");
    expect(told(csr)).toEqual(["Approved AutoApproved"]);
    const { validFrom, validTo, subject } = certificateOf(csr);
    expect(subject).toBe("O=system:nodes\nCN=system:node:n1");
    expect(hours(validFrom, validTo)).toBeCloseTo(1 + 5 / 60);
  });

  it("of a kubelet for its server, or of others in its name, are not", async () => {
    const w = await started();
    const serving = { signerName: SERVING, usages: ["digital signature", "server auth"] };
    await make(w, request("serving", { request: REQUESTS.serving, ...serving }), "n1");
    const client = { request: REQUESTS.node, signerName: KUBELET, usages: OF_KUBELETS };
    await make(w, request("by-admin", client));
    await w.more(10);
    expect(told(await read(w, "serving"))).toEqual([]);
    // An administrator may do all: the review lets it through.
    expect(told(await read(w, "by-admin"))).toEqual(["Approved AutoApproved"]);
    await w.kubectl("certificate approve serving");
    await w.more(5);
    expect(certificateOf(await read(w, "serving")).subjectAltName).toBe(
      "DNS:n1, IP Address:10.0.0.1",
    );
  });

  it.each<[string, object, string]>([
    [KUBELET, { request: REQUESTS.jane }, "subject organization is not system:nodes"],
    [KUBELET, { request: REQUESTS.serving }, "DNS subjectAltNames are not allowed"],
    [KUBELET, { request: REQUESTS.mail }, "Email subjectAltNames are not allowed"],
    [
      KUBELET,
      { request: REQUESTS.node },
      "usages did not match [client auth digital signature key encipherment]",
    ],
    [SERVING, { request: REQUESTS.node }, "DNS or IP subjectAltName is required"],
    [CLIENT, { usages: ["server auth"] }, "invalid usage for client certificate: server auth"],
    [
      CLIENT,
      { usages: ["digital signature"] },
      "missing required usage for client certificate: client auth",
    ],
  ])("fail at the signer %s: %#", async (signerName, spec, message) => {
    const w = await started();
    await make(w, request("a", { signerName, ...spec }));
    await w.kubectl("certificate approve a");
    await w.more(5);
    const { status } = await read(w, "a");
    expect(status?.conditions?.at(-1)).toMatchObject({
      ...{ type: "Failed", status: "True", reason: "SignerValidationFailure", message },
    });
    expect(await w.kubectl("get csr --no-headers")).toMatch(/ Approved,Failed$/);
  });

  it("leave a signer of somebody else's alone", async () => {
    const w = await started();
    await make(w, request("a", { signerName: "example.com/mine" }));
    await w.kubectl("certificate approve a");
    await w.more(5);
    expect((await read(w, "a")).status).not.toHaveProperty("certificate");
    expect(told(await read(w, "a"))).toEqual(["Approved KubectlApprove"]);
  });

  it("go an hour after their verdict, or after a day without one", async () => {
    const cluster = testCluster();
    cluster.start({ controllers: ["certificatesigningrequest-cleaner-controller"] });
    for (const name of ["approved", "denied", "pending"]) {
      const made = await cluster.make(CertificateSigningRequest, request(name, {}));
      if (name === "pending") continue;
      const type = name === "approved" ? "Approved" : "Denied";
      const status = { conditions: [{ type, status: "True", reason: "Test" }] };
      await cluster.act(async () => {
        const ref = CertificateSigningRequest;
        const said = { ...made, status };
        const next = await cluster.client.updateSub(ref, "", name, "approval", said);
        if (type === "Denied") return;
        const certificate =
          "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1BPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";
        await cluster.client.updateStatus(ref, {
          ...next,
          status: { ...next.status, certificate },
        });
      });
    }
    const names = async () =>
      (await cluster.list(CertificateSigningRequest)).map(({ metadata }) => metadata.name);
    const hour = 3_600_000;
    await cluster.run(hour + 1_000);
    expect(await names()).toEqual(["approved", "denied", "pending"]);
    await cluster.run(hour);
    expect(await names()).toEqual(["pending"]);
    await cluster.run(24 * hour);
    expect(await names()).toEqual([]);
  });
});
