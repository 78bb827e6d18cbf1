/** kubectl create, diff, and what is said of wrong words; as kubectl 1.35.2 prints it. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const PEM = (what: string) => `-----BEGIN ${what}-----\nQUJD\n-----END ${what}-----\n`;
const files = {
  "c.pem": PEM("CERTIFICATE"),
  "k.pem": PEM("PRIVATE KEY"),
  "env.txt": "A=1\n# c\nB=two words\n",
  "conf.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf, labels: {app: a}}\ndata: {a: b}\n",
  "placed.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: placed, namespace: kube-public}\n",
  "bad.yaml": "apiVersion: v1\nkind: Nothing\nmetadata: {name: x}\n",
};

describe("kubectl create and others", () => {
  let shell: Terminal;
  const said = async (line: string) => (await shell.run(line, files)).split("\n");
  const first = async (line: string) => (await said(line))[0];

  beforeEach(async () => {
    shell = await terminal();
  });

  it("makes an object of a file in the namespace that it names", async () => {
    await said("create -f placed.yaml");
    expect(await first("get configmap placed -n kube-public -o name")).toBe("configmap/placed");
    expect(await first("get configmap placed")).toContain("not found");
  });

  it("makes Secrets of certificates and of registries", async () => {
    const show = "--dry-run=client -o yaml";
    expect(await said(`create secret tls s --cert=c.pem --key=k.pem ${show}`)).toEqual([
      ...["apiVersion: v1", "data:"],
      `  tls.crt: ${btoa(files["c.pem"])}`,
      `  tls.key: ${btoa(files["k.pem"])}`,
      ...["kind: Secret", "metadata:", "  name: s", "type: kubernetes.io/tls", "[exit 0]"],
    ]);
    const registry = await said(
      `create secret docker-registry s --docker-username=u --docker-password=p --docker-email=e@x ${show}`,
    );
    expect(registry).toContain(
      "  .dockerconfigjson: eyJhdXRocyI6eyJodHRwczovL2luZGV4LmRvY2tlci5pby92MS8iOnsidXNlcm5hbWUiOiJ1IiwicGFzc3dvcmQiOiJwIiwiZW1haWwiOiJlQHgiLCJhdXRoIjoiZFRwdyJ9fX0=",
    );
    expect(await said(`create secret docker-registry s --from-file=env.txt ${show}`)).toContain(
      `  .dockerconfigjson: ${btoa(files["env.txt"])}`,
    );
  });

  it("checks words and flags before it makes anything", async () => {
    const create = (line: string) => first(`create ${line}`);
    expect([
      await create("secret tls s"),
      await create("secret tls s --cert=no --key=no"),
      await create("secret tls s --cert=env.txt --key=k.pem"),
      await create("secret docker-registry s --docker-username=u"),
      await create("secret generic s --from-literal=a=b --from-literal=a=c"),
      await create("secret foo s"),
      await create("cm c --from-literal=a=b --from-literal=a=c"),
      await create("cm c --from-env-file=env.txt --from-literal=x=y"),
      await create("cm c --from-literal==b"),
      await create("cm c --from-file=a=b=env.txt"),
      await create("cm c --from-file==env.txt"),
      await create("cm c --from-file=k="),
      await create("deployment"),
      await create("job j --image=a --from=cronjob/x"),
      await create("job j --from=cronjob/x -- sleep"),
      await create("pdb p"),
      await create("pdb p --selector=a=b --min-available=1 --max-unavailable=1"),
      await create("pdb p --selector=a=b --min-available=x"),
    ]).toEqual([
      "error: key and cert must be specified",
      "error: Cannot read file no, open no: no such file or directory",
      "error: tls: failed to find any PEM data in certificate input",
      "error: either --from-file or the combination of --docker-username, --docker-password and --docker-server is required",
      "error: cannot add key a, another key by that name already exists",
      'error: unknown command "foo s"',
      'error: cannot add key "a", another key by that name already exists in Data for ConfigMap "c"',
      "error: from-env-file cannot be combined with from-file or from-literal",
      "error: invalid literal source =b, expected key=value",
      "error: key names or file paths cannot contain '='",
      "error: key name for file path env.txt missing",
      "error: file path for key name k missing",
      'error: required flag(s) "image" not set',
      "error: either --image or --from must be specified",
      "error: cannot specify --from and command",
      "error: a selector must be specified",
      "error: min-available and max-unavailable cannot be both specified",
      "error: invalid format specified for min-available",
    ]);
  });

  it("offers the help of the very command whose flag is wrong", async () => {
    const help = async (line: string) => (await said(line)).slice(0, 2);
    expect([
      await help("create deploy x --image=a --replicas=abc"),
      await help("create secret tls --foo"),
      await help("create cm"),
      await help("rollout status --foo"),
      await help("rollout a b"),
      await help("set --foo"),
      await help("api-versions x"),
    ]).toEqual([
      [
        'error: invalid argument "abc" for "-r, --replicas" flag: strconv.ParseInt: parsing "abc": invalid syntax',
        "See 'kubectl create deployment --help' for usage.",
      ],
      ["error: unknown flag: --foo", "See 'kubectl create secret tls --help' for usage."],
      [
        "error: exactly one NAME is required, got 0",
        "See 'kubectl create configmap -h' for help and examples",
      ],
      ["error: unknown flag: --foo", "See 'kubectl rollout status --help' for usage."],
      ['error: unknown command "a b"', "See 'kubectl rollout -h' for help and examples"],
      ["error: unknown flag: --foo", "See 'kubectl set --help' for usage."],
      ["error: unexpected arguments: [x]", "See 'kubectl api-versions -h' for help and examples"],
    ]);
    expect(await first("version x")).toBe("error: extra arguments: [x]");
  });

  it("ends a diff with 0 if nothing differs, 1 if something does, 2 if it cannot tell", async () => {
    const exit = async (line: string) => (await said(`diff ${line}`)).at(-1);
    const made = await said("diff -f conf.yaml");
    expect([made[3], made.at(-1)]).toEqual(["@@ -0,0 +1,11 @@", "[exit 1]"]);
    await said("apply -f conf.yaml");
    expect(await exit("-f conf.yaml")).toBe("[exit 0]");
    expect(await exit("-f conf.yaml -l app=b")).toBe("[exit 0]");
    expect(await exit("-f bad.yaml")).toBe("[exit 2]");
    expect(await exit("-f conf.yaml --force-conflicts")).toBe("[exit 2]");
    expect(await said("diff --foo")).toEqual([
      "error: unknown flag: --foo",
      "See 'kubectl diff -h' for help and examples",
      "[exit 2]",
    ]);
  });

  it("explains a kind by its whole name", async () => {
    expect(await said("explain deployments.apps.spec")).toContain("FIELD: spec <DeploymentSpec>");
    expect((await said("explain deploy.apps.spec")).at(-2)).toBe(
      'error: field "spec" does not exist',
    );
    expect(await first("explain foo")).toBe('the server doesn\'t have a resource type "foo"');
  });
});
