/**
 * npx node test/bench/apiserver.ts [--pods N]
 *
 * Time of one Pod's creation through the whole pipeline, warm: authentication,
 * RBAC, admission, defaulting, validation, storage, and three watchers.
 */
import { parseArgs } from "node:util";
import { newKinds } from "../../sim/src/api/kinds/index.ts";
import type { ApiRequest, ApiResponse, Credentials } from "../../sim/src/api/transport.ts";
import { bootstrap } from "../../sim/src/apiserver/bootstrap.ts";
import { type ApiServer, createApiServer } from "../../sim/src/apiserver/server.ts";
import { Etcd } from "../../sim/src/etcd/index.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";

const { values } = parseArgs({ options: { pods: { type: "string", default: "40000" } } });
const pods = Number(values.pods);

const ADMIN = certificate("admin", "system:masters");
const CONTROLLER = certificate("system:serviceaccount:kube-system:replicaset-controller", "x");

function certificate(commonName: string, group: string): Credentials {
  return { certificate: { commonName, organizations: [group] } };
}

function core(rest: Partial<ApiRequest> & Pick<ApiRequest, "verb" | "resource">): ApiRequest {
  return { group: "", version: "v1", namespace: "default", credentials: ADMIN, ...rest };
}

function expectCode(answer: ApiResponse | Promise<ApiResponse>, code: number): void {
  if (answer instanceof Promise || answer.code !== code) {
    throw new Error(`expected ${code}: ${JSON.stringify(answer)}`);
  }
}

function newServer(): ApiServer {
  const kernel = new Kernel({ trace: "off" });
  const etcd = new Etcd({ kernel });
  const server = createApiServer({ kernel, etcd, kinds: newKinds() });
  bootstrap(server);
  const body = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  expectCode(server.execute(core({ verb: "create", resource: "serviceaccounts", body })), 201);
  return server;
}

function podOf(i: number) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: "web-5d59d67564-",
      name: `web-5d59d67564-${i}`,
      namespace: "default",
      labels: { app: "web", "pod-template-hash": "5d59d67564" },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "web-5d59d67564",
          uid: "799c4bdf-cef1-49c7-ad0e-3f402e6e036e",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [
        {
          name: "web",
          image: "nginx:1.27",
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: "100m", memory: "64Mi" } },
        },
      ],
    },
  };
}

const server = newServer();
let seen = 0;
const handler = {
  onEvent: () => {
    seen++;
  },
  onEnd: () => {},
};
const watch = core({ verb: "watch", resource: "pods" });
const fieldSelector = "spec.nodeName=";
server.watch({ ...watch, namespace: "" }, handler);
server.watch(watch, handler);
server.watch({ ...watch, namespace: "", options: { fieldSelector } }, handler);

const rounds = 80;
const each = Math.floor(pods / rounds);
const best: number[] = [];
for (let round = 0; round < rounds; round++) {
  const bodies = Array.from({ length: each }, (_, i) => podOf(round * each + i));
  const began = performance.now();
  for (const body of bodies) {
    const request = core({ verb: "create", resource: "pods", body, credentials: CONTROLLER });
    expectCode(server.execute(request), 201);
  }
  best.push(((performance.now() - began) * 1000) / each);
}
const us = Math.min(...best);
console.log(`create of a Pod: ${us.toFixed(1)} µs (budget 25), ${seen} watch events`);
const sorted = best.toSorted((a, b) => a - b);
console.log(`median of ${rounds} rounds: ${sorted[rounds >> 1]!.toFixed(1)} µs`);
