/** kubectl debug, and what would need a terminal; profiles as in 1.36. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}, annotations: {a: b}}
spec:
  containers:
  - {name: app, image: "nginx:1.27", args: [x], livenessProbe: {httpGet: {path: /, port: 80}}}
`;

let shell: Terminal;

beforeAll(async () => {
  shell = await terminal();
  await shell.run("apply -f pod.yaml", { "pod.yaml": POD });
  await shell.pass(10_000);
});

/** What a command printed, without its exit code. */
const said = async (line: string) => (await shell.run(line)).replace(/\n?\[exit \d\]$/, "");
const field = (name: string, path: string) => said(`get pod ${name} -o jsonpath={${path}}`);

describe("kubectl debug of a running Pod", () => {
  it("adds a container that the kubelet starts, once of a name", async () => {
    const words = "debug web --image=busybox:1.36 -c look --target=app -- sleep 100";
    expect(await shell.run(words)).toMatch(/^Targeting container "app"\..*\n\[exit 0\]$/);
    await shell.pass(10_000);
    const path = ".spec.ephemeralContainers[0]";
    expect(await field("web", `${path}.name}|{${path}.targetContainerName`)).toBe("look|app");
    expect(await field("web", `${path}.securityContext`)).toBe(
      '{"capabilities":{"add":["SYS_PTRACE"]}}',
    );
    expect(await field("web", ".status.ephemeralContainerStatuses[0].state")).toContain("running");
    expect(await field("web", ".metadata.generation")).toBe("2");
    expect(await said("debug web --image=alpine -c look")).toContain(
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "look" may not be changed',
    );
    expect(await said("logs web")).toContain('Defaulted container "app" out of: app, look (ephem)');
  });

  it("gives the rights of a profile, and tells that the old one leaves", async () => {
    const context = async (profile: string) => {
      const text = await said(`debug web --image=busybox -q -c ${profile} --profile=${profile}`);
      const path = `.spec.ephemeralContainers[?(@.name=="${profile}")].securityContext`;
      return `${text}${await field("web", path)}`;
    };
    expect(await context("baseline")).toBe("");
    expect(await context("netadmin")).toBe('{"capabilities":{"add":["NET_ADMIN","NET_RAW"]}}');
    expect(await context("sysadmin")).toBe('{"privileged":true}');
    expect(JSON.parse(await context("restricted"))).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(await context("legacy")).toContain("--profile=legacy is deprecated");
    expect(await context("none")).toContain("error: unknown profile: none");
  });

  it("takes a part of the container from a file", async () => {
    const files = { "c.json": '{"env":[{"name":"A","value":"b"}],"stdin":true}' };
    await shell.run("debug web --image=busybox -q -c own --custom=c.json", files);
    const path = '.spec.ephemeralContainers[?(@.name=="own")]';
    expect(await field("web", `${path}.env`)).toBe('[{"name":"A","value":"b"}]');
    const wrong = { "c.json": '{"image":"x"}' };
    expect(await shell.run("debug web --image=a --custom=c.json", wrong)).toContain(
      "name, command, image, lifecycle and volume devices are not modifiable via custom profile",
    );
  });

  it("names the container itself, and shows its log in the place of a terminal", async () => {
    const text = await said("debug web -it --image=busybox -- sh -c true");
    expect(text).toMatch(/^Defaulting debug container name to debugger-[a-z0-9]{5}\./);
  });

  it("lets the server refuse what a guest cannot have", async () => {
    const files = { "c.json": '{"ports":[{"containerPort":80}]}' };
    const line = "debug web --image=busybox -q -c p --custom=c.json --target=none";
    const text = await shell.run(line, files);
    expect(text).toContain("ports: Forbidden: cannot be set for an Ephemeral Container");
    expect(text).toMatch(/targetContainerName: Not found: "none"/);
  });
});

describe("kubectl debug of a copy and of a Node", () => {
  it("copies a Pod without labels and probes, sharing its processes", async () => {
    expect(await said("debug web --copy-to=two --image=busybox -c look")).toBe("");
    expect(await field("two", ".spec.containers[*].name")).toBe("app look");
    expect(await field("two", ".spec.shareProcessNamespace")).toBe("true");
    expect(await field("two", ".metadata.labels}|{.spec.containers[0].livenessProbe")).toBe("|");
  });

  it("changes a container of the copy, keeps what it is told to, replaces the first", async () => {
    const keep = "--keep-labels --keep-liveness --same-node";
    await shell.run(`debug two --copy-to=three -c app --image=httpd ${keep} --replace -- sleep 9`);
    const path = ".spec.containers[0]";
    expect(await field("three", `${path}.image}|{${path}.command}|{${path}.args`)).toBe(
      'httpd|["sleep","9"]|',
    );
    expect(await said("get pod two -o name --ignore-not-found")).not.toContain("error");
    await said("debug web --copy-to=four --set-image=*=alpine");
    expect(await field("four", ".spec.containers[*].image}|{.metadata.labels.app")).toBe(
      "alpine|web",
    );
  });

  it("runs on a Node, with its files and namespaces", async () => {
    const text = await said("debug node/node-1 --image=busybox");
    const [, name] =
      /^Creating debugging pod (node-debugger-node-1-\w{5}) with container debugger/.exec(text)!;
    const spec = JSON.parse(await field(name!, ".spec")) as { [key: string]: unknown };
    expect(spec).toMatchObject({ hostNetwork: true, hostPID: true, hostIPC: true });
    expect(await field(name!, ".spec.volumes[0].hostPath.path")).toBe("/");
    expect(await field(name!, ".spec.nodeName")).toBe("node-1");
  });

  it("refuses words that do not fit together", async () => {
    const refused = async (words: string) => said(`debug ${words}`);
    expect(await refused("web")).toBe("error: you must specify --image when not using --copy-to.");
    expect(await refused("web --same-node --image=a")).toContain("--same-node may only be used");
    expect(await refused("web --copy-to=x --image=a --target=b")).toContain(
      "--target is incompatible with --copy-to. Use --share-processes instead.",
    );
    expect(await refused("web --image=a -t")).toContain("-i/--stdin is required");
    await shell.run("create deployment d --image=nginx");
    expect(await refused("deploy/d --image=a")).toBe(
      'error: "apps/v1, Kind=Deployment" not supported by debug',
    );
  });
});

describe("what needs a stream", () => {
  it.each([
    ["exec", "error: pod, type/name or --filename must be specified"],
    ["exec web", "error: you must specify at least one command for the container"],
    ["exec nosuch -- ls", 'Error from server (NotFound): pods "nosuch" not found'],
    ["attach", "error: at least 1 argument is required for attach"],
    ["cp a", "error: source and destination are required"],
    ["cp a b", "error: one of src or dest must be a remote file specification"],
    ["cp a:/x b:/y", "error: one of src or dest must be a local file specification"],
    ["cp web: y", "error: filepath can not be empty"],
    [
      "port-forward svc/kubernetes 8080:99",
      "error: Service kubernetes does not have a service port 99",
    ],
  ])("%s", async (line, text) => expect(await said(line)).toBe(text));

  it("says that there is none", async () => {
    for (const line of [
      "exec web -c app -- ls",
      "attach web -c app",
      "port-forward web 80",
      "cp web:/x y -c app",
    ])
      expect(await said(line)).toMatch(
        /Error from server \(NotImplemented\): the simulator does not stream pods\//,
      );
  });
});
