import { describe, expect, it } from "vitest";
import type { RuntimeKind } from "../../../sim/src/cri/kinds.ts";
import { makeNodeHost } from "../../../sim/src/cri/node-host.ts";
import { ImageRegistry } from "../../../sim/src/cri/workload/registry.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const CONFLIST = JSON.stringify({
  cniVersion: "1.0.0",
  name: "podnet",
  plugins: [
    {
      type: "bridge",
      isGateway: true,
      ipam: { type: "host-local", ranges: [[{ subnet: "10.244.1.0/24" }]] },
    },
  ],
});

/** What the runtime does for one sandbox, made and stopped, step by step. */
async function stepsOf(runtime: RuntimeKind, pid?: "POD"): Promise<string[]> {
  const kernel = new Kernel();
  const files = { "/etc/cni/net.d/10.conflist": CONFLIST };
  const host = makeNodeHost({ kernel, node: "n1", registry: new ImageRegistry(), runtime, files });
  const metadata = { name: "web", namespace: "shop", uid: "u1" };
  kernel.spawn("kubelet/n1", async () => {
    const linux = { security_context: { namespace_options: { pid } } };
    const made = await host.runtime.runPodSandbox({ config: { metadata, linux } });
    await host.runtime.stopPodSandbox(made);
  });
  await kernel.run();
  return [...kernel.trace]
    .filter(
      ({ actor, verb }) => actor === `${runtime}/n1` && (verb === "container" || verb === "cni"),
    )
    .map(({ subject }) => subject);
}

/** The plugins' last, in the order in which they are executed. */
const DELS = ["DEL bridge", "DEL host-local", "DEL loopback"];

const KINDS = ["containerd", "crio", "docker"] as const;

/** A container of an image on a runtime, with `parent` as the Pod's cgroup. */
async function contained(runtime: RuntimeKind, image: string, parent = "", command?: string[]) {
  const kernel = new Kernel();
  const files = { "/etc/cni/net.d/10.conflist": CONFLIST };
  const registry = new ImageRegistry([{ name: "bare", shell: false }]);
  const { runtime: service } = makeNodeHost({ kernel, node: "n1", registry, runtime, files });
  const errors: string[] = [];
  let stdout = "";
  let code = 0;
  const metadata = { name: "web", namespace: "shop", uid: "u1" };
  const linux = parent ? { cgroup_parent: parent } : {};
  kernel.spawn("kubelet/n1", async () => {
    try {
      await service.pullImage({ image: { image } });
      const config = { metadata, linux };
      const { pod_sandbox_id } = await service.runPodSandbox({ config });
      const own = { metadata: { name: "app" }, image: { image }, command };
      const request = { pod_sandbox_id, config: own, sandbox_config: config };
      const { container_id } = await service.createContainer(request);
      await service.startContainer({ container_id });
      const exec = { container_id, cmd: ["curl", "-f"], timeout: 1 };
      const answer = await service.execSync(exec);
      stdout = answer.stdout;
      code = answer.exit_code;
    } catch (error) {
      errors.push((error as Error).message.replace(/[0-9a-f]{64}/g, "ID"));
    }
  });
  await kernel.run({ untilMs: 60_000 });
  const paths = [...service.core.containers.values()].map(({ cgroup, id }) =>
    cgroup.replace(id, "ID"),
  );
  const [status] = [...service.core.containers.keys()];
  const message =
    status && (await service.containerStatus({ container_id: status })).status.message;
  return { errors, stdout, code, paths, message };
}

describe("each runtime in its own words", () => {
  it.each(KINDS)("%s: where a container's processes are accounted", async (kind) => {
    const slices = "/kubepods.slice/kubepods-besteffort.slice";
    const slice = `${slices}/kubepods-besteffort-podu1.slice`;
    const scope = { containerd: "cri-containerd-ID", crio: "crio-ID", docker: "docker-ID" }[kind];
    expect((await contained(kind, "nginx:1.27", slice)).paths).toEqual([`${slice}/${scope}.scope`]);
    const folder = "/kubepods/besteffort/podu1";
    const name = kind === "crio" ? "crio-ID" : "ID";
    expect((await contained(kind, "nginx:1.27", folder)).paths).toEqual([`${folder}/${name}`]);
  });

  it("says that there is no such program to execute", async () => {
    const runc = 'exec: "curl": executable file not found in $PATH: unknown';
    const oci = `OCI runtime exec failed: exec failed: unable to start container process: ${runc}`;
    const unknown = "rpc error: code = Unknown desc = ";
    expect((await contained("containerd", "bare:1")).errors).toEqual([
      `${unknown}failed to exec in container: failed to start exec "ID": ${oci}`,
    ]);
    expect((await contained("crio", "bare:1")).errors).toEqual([
      `${unknown}command error: executable file \`curl\` not found in $PATH: No such file or directory, stdout: , stderr: , exit code -1`,
    ]);
    const docker = await contained("docker", "bare:1");
    expect(docker).toMatchObject({ errors: [], stdout: `${oci}\r\n`, code: 127 });
  });

  it("says that there is no such program to start, CRI-O when it creates", async () => {
    const runc =
      'unable to start container process: error during container init: exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown';
    const oci = `failed to create shim task: OCI runtime create failed: runc create failed: ${runc}`;
    const run = (kind: RuntimeKind) => contained(kind, "bare:1", "", ["/bin/sh"]);
    const containerd = `failed to create containerd task: ${oci}`;
    const unknown = "rpc error: code = Unknown desc = ";
    expect(await run("containerd")).toMatchObject({
      errors: [`${unknown}${containerd}`],
      message: containerd,
    });
    expect(await run("crio")).toMatchObject({
      errors: [
        `${unknown}container create failed: executable file \`/bin/sh\` not found: No such file or directory`,
      ],
      paths: [],
    });
    expect((await run("docker")).errors).toEqual([
      `${unknown}Error response from daemon: failed to create task for container: ${oci}`,
    ]);
  });

  it("says that the registry has no such image", async () => {
    const pull = async (kind: RuntimeKind) => (await contained(kind, "nginx:nope")).errors[0];
    const full = "docker.io/library/nginx:nope";
    expect(await pull("containerd")).toBe(
      `rpc error: code = NotFound desc = failed to pull and unpack image "${full}": failed to resolve image: ${full}: not found`,
    );
    const manifest = "reading manifest nope in docker.io/library/nginx: manifest unknown";
    expect(await pull("crio")).toBe(
      `rpc error: code = Unknown desc = unable to pull image or OCI artifact: pull image err: initializing source docker://nginx:nope: ${manifest}; artifact err: get manifest: build image source: ${manifest}`,
    );
    expect(await pull("docker")).toBe(
      `rpc error: code = Unknown desc = Error response from daemon: failed to resolve reference "${full}": ${full}: not found`,
    );
  });
});

describe("the same Pod on three runtimes", () => {
  it("containerd: namespace, network, then pause", async () => {
    expect(await stepsOf("containerd")).toEqual([
      ...["network namespace", "ADD loopback", "ADD bridge", "ADD host-local", "start pause"],
      ...["stop pause", ...DELS],
    ]);
  });

  it("CRI-O: namespaces pinned, network, and no pause at all", async () => {
    expect(await stepsOf("crio")).toEqual([
      ...["create storage", "pin namespaces", "network namespace"],
      ...["ADD loopback", "ADD bridge", "ADD host-local", "no pause container"],
      ...["release namespaces", ...DELS],
    ]);
  });

  it("CRI-O: a pause where processes are shared, for their namespace cannot be pinned", async () => {
    expect(await stepsOf("crio", "POD")).toEqual([
      ...["create storage", "pin namespaces", "network namespace"],
      ...["ADD loopback", "ADD bridge", "ADD host-local", "start pause"],
      ...["stop pause", ...DELS],
    ]);
  });

  it("cri-dockerd: pause first, its network afterwards", async () => {
    expect(await stepsOf("docker")).toEqual([
      ...["docker create", "docker start", "rewrite resolv.conf", "network namespace"],
      ...["ADD loopback", "ADD bridge", "ADD host-local", "stop pause", ...DELS],
    ]);
  });
});
