/** `shikumi controller`: the simulator's operator over HTTP, as against a real cluster. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Served, unpackKubectl } from "./served.ts";
import { WEBSITES_CRD, website } from "./websites.ts";

const root = join(import.meta.dirname, "../..");

/** The command line, and all that it has said so far. */
class Controller {
  text = "";
  private readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(argv: readonly string[]) {
    this.child = spawn(process.execPath, [join(root, "sim/node/cli.ts"), "controller", ...argv]);
    for (const output of [this.child.stdout, this.child.stderr]) {
      output?.on("data", (chunk: Buffer) => {
        this.text += chunk.toString();
      });
    }
    this.ended = new Promise((resolve) => this.child.on("close", resolve));
  }

  interrupt(): Promise<number | null> {
    this.child.kill("SIGINT");
    return this.ended;
  }
}

describe("a controller from the simulator", () => {
  let served: Served;
  let folder: string;
  let file: string;
  let controller: Controller;

  beforeAll(async () => {
    unpackKubectl();
    served = await Served.start(5);
    folder = mkdtempSync(join(tmpdir(), "shikumi-controller-"));
    file = join(folder, "website.ts");
    // The same file, in a folder that knows nothing of the simulator.
    cpSync(join(root, "sim/src/operators/website.ts"), file);
    controller = new Controller([file, "--kubeconfig", served.kubeconfig]);
  });

  afterAll(async () => {
    await controller.interrupt();
    await served.close();
    rmSync(folder, { recursive: true });
  });

  const value = async (what: string, path: string) => {
    const { text } = await served.kubectl(["get", what, "-o", `jsonpath=${path}`]);
    return text;
  };
  const soon = { timeout: 20_000, interval: 200 };

  it("makes what its objects ask for, and tells how far it is", async () => {
    expect((await served.kubectl(["apply", "-f", "-"], WEBSITES_CRD)).exit).toBe(0);
    await served.kubectl(["wait", "--for=condition=established", "crd/websites.example.com"]);
    expect((await served.kubectl(["apply", "-f", "-"], website("shop", 2))).exit).toBe(0);
    await expect.poll(() => value("website/shop", "{.status.readyReplicas}"), soon).toBe("2");
    expect(await value("service/shop", "{.spec.selector.website}")).toBe("shop");
    const owner = "{.metadata.ownerReferences[0].kind} {.metadata.managedFields[0].manager}";
    expect(await value("deployment/shop", owner)).toBe("Website website");
    expect(controller.text).toMatch(/Z reconcile default\/shop/);
  });

  it("undoes what others change, and makes anew what is gone", async () => {
    await served.kubectl(["scale", "deployment/shop", "--replicas=5"]);
    await expect.poll(() => value("deployment/shop", "{.spec.replicas}"), soon).toBe("2");
    const before = await value("deployment/shop", "{.metadata.uid}");
    await served.kubectl(["delete", "deployment/shop"]);
    const after = () => value("deployment", "{.items[*].metadata.uid}");
    await expect.poll(after, soon).toMatch(/./);
    expect(await after()).not.toBe(before);
  });

  it("lets go of what it owned when an object is deleted", async () => {
    await served.kubectl(["delete", "website/shop"]);
    await expect.poll(() => value("deployments", "{.items[*].metadata.name}"), soon).toBe("");
  });

  it("ends when it is told to", async () => {
    const other = new Controller([file, "--kubeconfig", served.kubeconfig]);
    await expect.poll(() => other.text, soon).toContain("Ctrl+C ends it.");
    expect(await other.interrupt()).toBe(0);
  });

  it("says plainly what is wrong with what it was given", async () => {
    const said = async (...argv: string[]) => {
      const wrong = new Controller(argv);
      return [await wrong.ended, wrong.text.trim()];
    };
    const empty = join(folder, "empty.ts");
    writeFileSync(empty, "export const nothing = 1;\n");
    const broken = join(folder, "broken.ts");
    writeFileSync(broken, 'import "../client/no-such.ts";\n');
    const config = ["--kubeconfig", served.kubeconfig];
    const answers = await Promise.all([
      said(),
      said(join(folder, "none.ts"), ...config),
      said(empty, ...config),
      said(broken, ...config),
      said(file, "--kubeconfig", join(folder, "none")),
      said(file, ...config, "--context", "other"),
    ]);
    expect(answers.map(([exit]) => exit)).toEqual([2, 2, 2, 2, 2, 2]);
    const [noFile, missing, nothing, unfound, noConfig, noContext] = answers.map(
      ([, text]) => text,
    );
    expect(noFile).toBe("shikumi: controller needs one file: shikumi controller website.ts");
    expect(missing).toMatch(/none\.ts cannot be read: there is no such file$/);
    expect(nothing).toMatch(/empty\.ts exports no function startOperator\.$/);
    expect(unfound).toMatch(/broken\.ts cannot be run: Cannot find module .*no-such\.ts/);
    expect(noConfig).toMatch(/^shikumi: the kubeconfig cannot be read: /);
    expect(noContext).toBe('shikumi: the kubeconfig has no context "other". There are: shikumi.');
  });
});
