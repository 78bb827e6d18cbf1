/** kubectl apply beside the plain one; texts as kubectl 1.35.2 prints them. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const ONE = `apiVersion: v1
kind: ConfigMap
metadata: {name: one, labels: {app: pr}}
data: {a: b}
`;
const TWO = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: two, labels: {app: pr}}
data: {a: b}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: stays, labels: {app: pr}}
`;
const files = {
  "all.yaml": ONE + TWO,
  "one.yaml": ONE,
  "shop.yaml": ONE.replace("labels", "namespace: shop, labels"),
};

describe("kubectl apply", () => {
  let shell: Terminal;
  const said = async (line: string) => (await shell.run(line, files)).split("\n");

  beforeEach(async () => {
    shell = await terminal();
  });

  it("refuses flags that do not go together", async () => {
    const first = async (line: string) => (await said(`apply -f one.yaml ${line}`))[0];
    expect([
      await first("--force-conflicts"),
      await first("--server-side --dry-run=client"),
      await first("--server-side --force"),
      await first("--force --dry-run=server"),
      await first("--all -l app=pr"),
      await first("extra"),
      await first("--prune --force -l app=pr"),
      await first("--prune -l app=pr --server-side"),
      await first("--prune -l app=pr --prune-allowlist=core/v1/Foo"),
      await first("--prune -l app=pr --prune-allowlist=bad"),
    ]).toEqual([
      "error: --force-conflicts only works with --server-side",
      "error: --dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
      "error: --force cannot be used with --server-side",
      "error: --dry-run=server cannot be used with --force",
      "error: cannot set --all and --selector at the same time",
      "error: Unexpected args: [extra]",
      "error: --force cannot be used with --prune",
      "error: --prune is in alpha and doesn't currently work on objects created by server-side apply",
      'error: no matches for kind "Foo" in version "v1"',
      "error: invalid GroupVersionKind format: bad, please follow <group/version/kind>",
    ]);
    expect((await said("get cm one"))[0]).toContain("NotFound");
  });

  it("takes an object's namespace for its own only where -n says the same", async () => {
    expect(await said("apply -f shop.yaml -n default")).toEqual([
      'error: the namespace from the provided object "shop" does not match the namespace "default". ' +
        "You must pass '--namespace=shop' to perform this operation.",
      "[exit 1]",
    ]);
    expect((await said("apply -f shop.yaml -n shop"))[0]).toContain('namespaces "shop" not found');
  });

  it("applies only what the selector matches", async () => {
    expect(await said("apply -f one.yaml -l app=other")).toEqual([
      "error: no objects passed to apply",
      "[exit 1]",
    ]);
  });

  it("deletes what was applied and is no longer in the files, if it is asked to", async () => {
    await said("apply -f all.yaml");
    await said("create configmap three");
    await said("label cm three app=pr");
    expect((await said("apply -f one.yaml --prune"))[0]).toContain(
      "all resources selected for prune",
    );
    const dry = await said("apply -f one.yaml --prune -l app=pr --dry-run=client");
    expect(dry).toContain("configmap/two pruned (dry run)");
    const other = "--prune-allowlist=core/v1/Secret";
    expect(await said(`apply -f one.yaml --prune -l app=pr ${other}`)).toEqual([
      "configmap/one unchanged",
      "[exit 0]",
    ]);
    const done = (await said("apply -f one.yaml --prune -l app=pr")).filter(
      (l) => !l.startsWith("Warning"),
    );
    // Not what apply never saw, and not kinds that are not on its list.
    expect(done).toEqual(["configmap/one unchanged", "configmap/two pruned", "[exit 0]"]);
    const left = await said("get cm,sa -l app=pr -o name");
    expect(left).toEqual(["configmap/one", "configmap/three", "serviceaccount/stays", "[exit 0]"]);
  });

  it("calls all that is there configured in a client's dry run", async () => {
    await said("apply -f one.yaml");
    expect((await said("apply -f one.yaml --dry-run=client"))[0]).toBe(
      "configmap/one configured (dry run)",
    );
  });

  it("shows and sets what it remembers", async () => {
    await said("apply -f one.yaml");
    const text = await said("apply view-last-applied cm/one");
    expect(text.slice(0, 5)).toEqual([
      "apiVersion: v1",
      "data:",
      "  a: b",
      "kind: ConfigMap",
      "metadata:",
    ]);
    expect((await said("apply view-last-applied cm/one -o json")).slice(0, 2)).toEqual([
      "{",
      '  "apiVersion": "v1",',
    ]);
    expect((await said("apply view-last-applied cm/one -o name"))[0]).toContain(
      "must be one of yaml|json",
    );
    expect(await said("apply view-last-applied cm/kube-root-ca.crt")).toEqual(["[exit 0]"]);
    await said("create configmap two");
    expect((await said("apply set-last-applied -f all.yaml"))[0]).toContain(
      "run the command with --create-annotation",
    );
    expect(await said("apply set-last-applied -f one.yaml")).toEqual([
      "configmap/one configured",
      "[exit 0]",
    ]);
    expect(await said("apply set-last-applied -f one.yaml")).toEqual([
      "set-last-applied one: no changes required.",
      "[exit 0]",
    ]);
  });
});
