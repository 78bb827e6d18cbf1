/** kubectl run and logs: what they refuse; texts as kubectl 1.35.2 prints them. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

describe("kubectl run and logs", () => {
  let shell: Terminal;
  const said = async (line: string) => (await shell.run(line)).split("\n");
  const first = async (line: string) => (await said(line))[0];

  beforeEach(async () => {
    shell = await terminal();
  });

  it("runs no Pod whose flags make no sense", async () => {
    const run = (line: string) => first(`run p ${line}`);
    expect([
      await first("run"),
      await first("run --image=a"),
      await run("--image="),
      await run("--image=BAD/Image:x"),
      await run("--image=nginx -t"),
      await run("--image=nginx --expose"),
      await run("--image=nginx --restart=Foo"),
      await run("--image=nginx --rm"),
      await run("--image=nginx -i --dry-run=client"),
      await run("--image=nginx --image-pull-policy=Foo"),
      await run("--image=nginx --port=abc"),
      await run("--image=nginx --env=1A=c"),
      await run("--image=nginx --annotations=a"),
    ]).toEqual([
      'error: required flag(s) "image" not set',
      "error: NAME is required for run",
      "error: --image is required",
      'error: Invalid image name "BAD/Image:x": invalid reference format',
      "error: -i/--stdin is required for containers with -t/--tty=true",
      "error: --port must be set when exposing a service",
      "error: invalid restart policy: Foo",
      "error: --rm should only be used for attached containers",
      "error: --dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
      "error: invalid image pull policy: Foo",
      'error: strconv.Atoi: parsing "abc": invalid syntax',
      "error: invalid env: 1A=c",
      "error: invalid annotations format: a",
    ]);
    expect(await first("run p --image=r.local:5000/a/b_c:1.0 --dry-run=client")).toBe(
      "pod/p created (dry run)",
    );
  });

  it("overrides what it made by a patch of any kind", async () => {
    const node = async (more: string) => {
      const out =
        "-o jsonpath={.spec.nodeName}/{.spec.containers[0].image}/{.spec.containers[0].tty}";
      return first(`run p --image=nginx --dry-run=client ${out} ${more}`);
    };
    expect(await node('--overrides={"spec":{"nodeName":"n"}}')).toBe("n/nginx/");
    const container = '--overrides={"spec":{"containers":[{"name":"p","tty":true}]}}';
    expect(await node(container)).toBe("//true");
    expect(await node(`${container} --override-type=strategic`)).toBe("/nginx/true");
    const operation = '[{"op":"add","path":"/spec/nodeName","value":"m"}]';
    expect(await node(`--overrides=${operation} --override-type=json`)).toBe("m/nginx/");
    expect(await node("--overrides={bad")).toBe("error: Invalid JSON Patch");
    expect(await node("--overrides={} --override-type=foo")).toBe(
      "error: invalid override type: foo",
    );
  });

  it("reads no log that was asked for in a wrong way", async () => {
    const logs = (line: string) => first(`logs ${line}`);
    await said("create configmap conf");
    expect([
      await logs("p --tail=-2"),
      await logs("p --since=abc"),
      await logs("p --since=-5s"),
      await logs("p --since=1s --since-time=2020-01-01T00:00:00Z"),
      await logs("p --since-time=abc"),
      await logs("p --limit-bytes=-1"),
      await logs("p --all-containers -c c"),
      await logs("p c -c c"),
      await logs("p --pod-running-timeout=0s"),
      await logs("-l app=web p"),
      await logs("a b c"),
      await logs("pod/a/b"),
      await logs("cm/conf"),
      await logs("svc/kubernetes"),
      await logs("-l app=web -n kube-system"),
    ]).toEqual([
      "error: --tail must be greater than or equal to -1",
      'error: invalid argument "abc" for "--since" flag: time: invalid duration "abc"',
      "error: --since must be greater than 0",
      "error: at most one of `sinceTime` or `sinceSeconds` may be specified",
      'error: parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"',
      "error: --limit-bytes must be greater than 0",
      "error: --all-containers=true should not be specified with container name c",
      "error: only one of -c or an inline [CONTAINER] arg is allowed",
      "error: --pod-running-timeout must be higher than zero",
      "error: only a selector (-l) or a POD name is allowed",
      "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.",
      "error: arguments in resource/name form may not have more than one slash",
      "error: cannot get the logs from *v1.ConfigMap: selector for *v1.ConfigMap not implemented",
      "error: cannot get the logs from *v1.Service: invalid service 'kubernetes': Service is defined without a selector",
      "No resources found in kube-system namespace.",
    ]);
  });
});
