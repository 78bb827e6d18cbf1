/** kubectl get: subresources, order, columns, watches; texts as kubectl 1.35.2 prints them. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

let shell: Terminal;

beforeAll(async () => {
  shell = await terminal();
  await shell.run("create deployment web --image=nginx:1.27 --replicas=2");
  await shell.run("create deployment db --image=postgres:16 --replicas=1");
  await shell.pass(60_000);
});

describe("kubectl get --subresource", () => {
  it("shows a Scale with its own columns", async () => {
    expect(await shell.run("get deploy web --subresource=scale")).toBe(
      "NAME   DESIRED   AVAILABLE   AGE\nweb    2         2           60s\n[exit 0]",
    );
    const path = "-o jsonpath={.kind}:{.spec.replicas}:{.status.selector}";
    expect(await shell.run(`get deploy web --subresource=scale ${path}`)).toBe(
      "Scale:2:app=web\n[exit 0]",
    );
    const name = await shell.run("get deploy web --subresource=status -o name");
    expect(name).toBe("deployment.apps/web\n[exit 0]");
  });

  it("wants a name, and a subresource that is there", async () => {
    expect(await shell.run("get deploy --subresource=scale")).toBe(
      "error: subresource cannot be used when bulk resources are specified\n[exit 1]",
    );
    expect(await shell.run("get deploy web --subresource=foo")).toBe(
      "Error from server (NotFound): the server could not find the requested resource\n[exit 1]",
    );
  });
});

describe("kubectl get --sort-by", () => {
  it("orders by amounts and texts; what has no such field comes first", async () => {
    const names = "-o custom-columns=N:.metadata.name --no-headers";
    expect(await shell.run(`get deploy --sort-by=.spec.replicas ${names}`)).toBe(
      "db\nweb\n[exit 0]",
    );
    expect(await shell.run("get deploy --sort-by=.nosuch -o name")).toBe(
      `error: couldn't find any field with path "{.nosuch}" in the list of objects\n[exit 1]`,
    );
    expect(await shell.run("get deploy --sort-by=.nosuch")).toBe(
      "No resources found in default namespace.\n[exit 0]",
    );
    expect(await shell.run("get deploy --sort-by=.metadata.labels")).toContain(
      "is an unsortable type: interface, err: unsortable type: map[string]interface {}",
    );
    expect(await shell.run("get deploy,svc --sort-by=.metadata.name")).toContain(
      `couldn't find any field with path "{.metadata.name}"`,
    );
  });
});

describe("kubectl get -o", () => {
  const get = (format: string, files = {}) => shell.run(`get deploy -o ${format}`, files);

  it("takes columns and templates from files", async () => {
    const columns = "NAME  IMAGE\nmetadata.name  {.spec.template.spec.containers[*].image}\n";
    const table = "NAME   IMAGE\ndb     postgres:16\nweb    nginx:1.27\n[exit 0]";
    expect(await get("custom-columns-file=c.txt", { "c.txt": columns })).toBe(table);
    expect(await get("custom-columns-file=c.txt", { "c.txt": "A B\n.kind\n" })).toBe(
      "error: number of headers (2) and field specifications (1) don't match\n[exit 1]",
    );
    expect(await get("custom-columns-file=c.txt", { "c.txt": "A\n" })).toContain(
      "invalid template, missing spec line.",
    );
    expect(await get("custom-columns-file=no")).toBe(
      "error: error reading template no, open no: no such file or directory\n[exit 1]",
    );
    const path = { "p.txt": "{.items[*].metadata.name}" };
    expect(await get("jsonpath-file=p.txt", path)).toBe("db web\n[exit 0]");
    const template = { "t.txt": "{{len .items}}" };
    expect(await get("go-template-file=t.txt", template)).toBe("2\n[exit 0]");
    expect(await get("go-template-file=no")).toContain("error reading --template no, open no");
  });

  it("refuses labels of objects, and paths that are none", async () => {
    expect(await get("name --show-labels")).toBe(
      "error: --show-labels option cannot be used with name printer\n[exit 1]",
    );
    expect(await get("custom-columns=A:{.kind")).toContain("unexpected path string, expected a");
    expect(await get("jsonpath={.nope} --allow-missing-template-keys=false")).toContain(
      "Error executing template: nope is not found.",
    );
  });

  it("leaves out who manages the fields in YAML and JSON alone", async () => {
    const manager = "{.items[0].metadata.managedFields[0].manager}";
    expect(await get(`jsonpath=${manager}`)).toBe("kubectl-create\n[exit 0]");
    expect(await get("yaml")).not.toContain("managedFields");
    expect(await get("yaml --show-managed-fields")).toContain("manager: kubectl-create");
  });
});

describe("kubectl get -w", () => {
  const watch = (words: string) => shell.run(`get ${words} -w --request-timeout=1s`);

  it("tells events, in tables and in lines of JSON", async () => {
    const [head, row] = (await watch("deploy db --output-watch-events")).split("\n");
    expect(head).toBe("EVENT      NAME   READY   UP-TO-DATE   AVAILABLE   AGE");
    expect(row).toMatch(/^ADDED {6}db {5}1\/1 {5}1 {12}1 {11}\d+m?\d*s?$/);
    const [line] = (await watch("deploy db --output-watch-events -o json")).split("\n");
    expect(JSON.parse(line!)).toMatchObject({ type: "ADDED", object: { kind: "Deployment" } });
  });

  it("prints objects one after the other, a header once", async () => {
    expect(await watch("deploy -o jsonpath={.metadata.name};")).toBe("db;web;\n[exit 0]");
    expect(await watch("deploy -o custom-columns=N:.metadata.name")).toBe("N\ndb\nweb\n[exit 0]");
    expect(await watch("deploy -o yaml")).toMatch(/\n---\napiVersion: apps\/v1\n/);
  });

  it("wants what it watches to be there, and to be of one kind", async () => {
    expect(await watch("deploy nosuch")).toBe(
      'Error from server (NotFound): deployments.apps "nosuch" not found\n[exit 1]',
    );
    expect(await watch("deploy db web")).toContain(
      "error: you may only watch a single resource or type of resource at a time\n[exit 1]",
    );
    expect(await watch("deploy,svc")).toContain("you may only specify a single resource type");
    expect(await watch("deploy db --sort-by=.kind")).toContain("warning: --watch requested");
  });
});
