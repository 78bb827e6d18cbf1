import { describe, expect, it } from "vitest";
import type { Container, Pod } from "../../../sim/src/api/kinds/pod.ts";
import { RpcError } from "../../../sim/src/cri/api.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import type { KubeletError, RuntimeContext } from "../../../sim/src/kubelet/runtime/context.ts";
import { ImageManager } from "../../../sim/src/kubelet/runtime/image-manager.ts";
import { withDefaultTag } from "../../../sim/src/kubelet/runtime/image-name.ts";

const INVALID = "invalid reference format";
const hex = (length: number) => "a".repeat(length);

describe("an image's name", () => {
  it("gets a tag if it has neither tag nor digest", () => {
    expect(withDefaultTag("nginx")).toBe("nginx:latest");
    expect(withDefaultTag("nginx:Alpine_3.20")).toBe("nginx:Alpine_3.20");
    expect(withDefaultTag("localhost/a__b/c-d")).toBe("localhost/a__b/c-d:latest");
    expect(withDefaultTag("Host:5000/app")).toBe("Host:5000/app:latest");
    expect(withDefaultTag("[fd00::1]:5000/app")).toBe("[fd00::1]:5000/app:latest");
    expect(withDefaultTag(`app@sha256:${hex(64)}`)).toBe(`app@sha256:${hex(64)}`);
  });

  it.each([
    ["Nginx", `${INVALID}: repository name (library/Nginx) must be lowercase`],
    ["quay.io/My/app:1", `${INVALID}: repository name (My/app) must be lowercase`],
    ["nginx:", INVALID],
    ["a..b", INVALID],
    ["foo bar", INVALID],
    ["nginx:1:2", INVALID],
    ["", INVALID],
    [hex(64), `invalid repository name (${hex(64)}), cannot specify 64-byte hexadecimal strings`],
    [`app@sha256:${hex(32)}`, "invalid checksum digest length"],
    [`app@md5:${hex(32)}`, "unsupported digest algorithm"],
    [`q.io/${hex(256)}`, "repository name must not be more than 255 characters"],
  ])("is refused: %s", (image, why) => {
    expect(() => withDefaultTag(image)).toThrow(
      new Error(`couldn't parse image name ${JSON.stringify(image)}: ${why}`),
    );
  });
});

/** What a new image manager says and throws, one try after another. */
async function ensure(container: Partial<Container>, pulls: (string | Error)[], inspect = "") {
  const kernel = new Kernel();
  const events: string[] = [];
  const errors: string[] = [];
  let size: string | undefined;
  const runtime = {
    imageStatus: async () => {
      if (inspect) throw new Error(inspect);
      return size ? { image: { size } } : {};
    },
    pullImage: async ({ image }: { image: { image: string } }) => {
      events.push(`(pulls ${image.image})`);
      const next = pulls.shift();
      if (next instanceof Error) throw next;
      size = next;
    },
  };
  const event = (_: unknown, type: string, reason: string, message: string) =>
    void events.push(`${type} ${reason} ${message}`);
  const context = { kernel, runtime, events: { event } } as unknown as RuntimeContext;
  const app = { name: "app", image: "nginx", ...container } as Container;
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", uid: "u" },
    spec: { containers: [app] },
  };
  const images = new ImageManager();
  kernel.spawn("kubelet", async () => {
    for (let i = 0; i < 2; i++) {
      await images
        .ensure(context, pod, app)
        .catch((error: KubeletError) => void errors.push(`${error.reason}: ${error.message}`));
    }
  });
  await kernel.run();
  return { events, errors };
}

describe("images of containers", () => {
  it("are named in Events as the container names them", async () => {
    const { events, errors } = await ensure({ imagePullPolicy: "IfNotPresent" }, ["100"]);
    expect(errors).toEqual([]);
    expect(events).toEqual([
      'Normal Pulling Pulling image "nginx"',
      "(pulls nginx:latest)",
      'Normal Pulled Successfully pulled image "nginx" in 0s (0s including waiting). Image size: 100 bytes.',
      'Normal Pulled Container image "nginx" already present on machine and can be accessed by the pod',
    ]);
    const never = await ensure({ imagePullPolicy: "Never" }, []);
    const message = 'Container image "nginx" is not present with pull policy of Never';
    expect(never.events[0]).toBe(`Warning ErrImageNeverPull ${message}`);
    expect(never.errors[0]).toBe(`ErrImageNeverPull: ${message}`);
  });

  it("wait with the reason that the runtime gave", async () => {
    const down = await ensure({}, [new Error("RegistryUnavailable: no route")]);
    const text = "image pull failed for nginx because the registry is unavailable: no route";
    expect(down.errors).toEqual([
      `RegistryUnavailable: ${text}`,
      `ImagePullBackOff: Back-off pulling image "nginx": RegistryUnavailable: ${text}`,
    ]);
    const unknown = new RpcError("Unknown", "RegistryUnavailable: no route");
    expect((await ensure({}, [unknown])).errors).toEqual(down.errors);
    const gone = await ensure({}, [new Error("not found")]);
    expect(gone.errors).toEqual([
      "ErrImagePull: not found",
      'ImagePullBackOff: Back-off pulling image "nginx": ErrImagePull: not found',
    ]);
  });

  it("are not pulled if nobody can say whether they are there", async () => {
    const { events, errors } = await ensure({}, [], "the runtime is down");
    const message = 'Failed to inspect image "nginx": the runtime is down';
    expect(events[0]).toBe(`Warning InspectFailed ${message}`);
    expect(errors[0]).toBe(`ImageInspectError: ${message}`);
  });
});
