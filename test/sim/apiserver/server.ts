/** A small API server for tests, and short ways to ask it. */
import { newKinds } from "../../../sim/src/api/kinds/index.ts";
import type { ApiRequest, ApiResponse, Credentials } from "../../../sim/src/api/transport.ts";
import { bootstrap } from "../../../sim/src/apiserver/bootstrap.ts";
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
} from "../../../sim/src/apiserver/server.ts";
import { Etcd, type EtcdApi } from "../../../sim/src/etcd/index.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

export const ADMIN: Credentials = {
  certificate: { commonName: "admin", organizations: ["system:masters"] },
};

export function userOf(commonName: string, ...organizations: string[]): Credentials {
  return { certificate: { commonName, organizations } };
}

export interface Bench {
  readonly kernel: Kernel;
  readonly etcd: EtcdApi;
  readonly server: ApiServer;
  ask(request: Partial<ApiRequest> & Pick<ApiRequest, "verb">): ApiResponse;
  /** The same where a webhook or several members answer. */
  later(request: Partial<ApiRequest> & Pick<ApiRequest, "verb">): Promise<ApiResponse>;
}

export function newServer(options: Partial<ApiServerOptions> = {}): Bench {
  const kernel = options.kernel ?? new Kernel();
  const etcd = options.etcd ?? new Etcd({ kernel });
  const server = createApiServer({ kinds: newKinds(), ...options, kernel, etcd });
  void bootstrap(server);
  const whole = (request: Partial<ApiRequest> & Pick<ApiRequest, "verb">): ApiRequest => ({
    group: "",
    version: "v1",
    resource: "pods",
    namespace: "default",
    credentials: ADMIN,
    ...request,
  });
  const ask: Bench["ask"] = (request) => {
    const answer = server.execute(whole(request));
    if (answer instanceof Promise) throw new Error("the answer comes later: use later()");
    return answer;
  };
  const later: Bench["later"] = async (request) => {
    let answer: ApiResponse | undefined;
    let failed: unknown;
    kernel.after(0, () => {
      Promise.resolve(server.execute(whole(request))).then(
        (got) => {
          answer = got;
        },
        (error) => {
          failed = error;
        },
      );
    });
    const stopWhen = () => answer !== undefined || failed !== undefined;
    await kernel.run({ stopWhen, untilMs: kernel.now() + 60_000 });
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (failed) throw failed;
    if (!answer) throw new Error("no answer came");
    return answer;
  };
  return { kernel, etcd, server, ask, later };
}

export function account(bench: Bench, namespace = "default"): void {
  bench.ask({
    verb: "create",
    resource: "serviceaccounts",
    namespace,
    body: { metadata: { name: "default" } },
  });
}

export function pod(name: string, more: Record<string, unknown> = {}, spec = {}) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...more },
    spec: { containers: [{ name: "c", image: "nginx" }], ...spec },
  };
}

export function configMap(name: string, data: Record<string, string> = {}, more = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...more }, data };
}

/** The body's message, for what was refused. */
export function messageOf({ body }: ApiResponse): string {
  return (body as { message?: string }).message ?? "";
}
