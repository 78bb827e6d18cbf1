/** kubectl edit: the editor is a function here; texts as kubectl 1.35.2 prints them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openEditor } from "../../../sim/node/editor.ts";
import { type Terminal, terminal } from "./support.ts";

let shell: Terminal;

beforeEach(async () => {
  shell = await terminal();
  await shell.run("create deployment web --image=nginx:1.27");
});

const edits = (change: (text: string) => string, line = "edit deploy web") => {
  shell.editor = vi.fn(change);
  return shell.run(line);
};

describe("kubectl edit", () => {
  it("sends what was changed, and opens the object without who manages it", async () => {
    let opened = "";
    const said = await edits((text) => {
      opened = text;
      return text.replace("replicas: 1", "replicas: 3");
    });
    expect(said).toBe("deployment.apps/web edited\n[exit 0]");
    expect(opened).toMatch(/^# Please edit the object below\./);
    expect(opened).not.toContain("managedFields");
    const path = "{.spec.replicas}:{.metadata.managedFields[-1:].manager}";
    expect(await shell.run(`get deploy web -o jsonpath=${path}`)).toContain("3:");
  });

  it("does nothing of no change, or of an empty file", async () => {
    expect(await edits((text) => `${text}`)).toBe("Edit cancelled, no changes made.\n[exit 0]");
    expect(await edits(() => "# nothing\n")).toBe(
      "Edit cancelled, saved file was empty.\n[exit 0]",
    );
  });

  it("opens again with what the server found wrong, until nothing is changed any more", async () => {
    const said = await edits((text) => text.replace("replicas: 1", "replicas: -1"));
    expect(said).toBe(
      'error: deployments.apps "web" is invalid\nerror: Edit cancelled, no valid changes were saved.\n[exit 1]',
    );
    expect(vi.mocked(shell.editor!).mock.calls[1]![0]).toContain(
      '# deployments.apps "web" was not valid:\n# * spec.replicas: Invalid value: -1',
    );
  });

  it("opens again on a text that is no YAML", async () => {
    let opened = "";
    const said = await edits((text) => {
      opened = text;
      return text.includes("syntax error") ? text.replace("bad: [", "") : `${text}bad: [`;
    });
    expect(opened).toContain("# The edited file had a syntax error:");
    expect(said).toContain("Edit cancelled, no changes made.");
  });

  it("keeps names, and skips what did not change among several", async () => {
    await shell.run("create configmap c --from-literal=a=b");
    expect(await edits((text) => text.replace("name: web", "name: other"))).toContain(
      "error: At least one of apiVersion, kind and name was changed",
    );
    const both = "edit deploy/web cm/c";
    expect(await edits((text) => text.replace("a: b", "a: c"), both)).toBe(
      "deployment.apps/web skipped\nconfigmap/c edited\n[exit 0]",
    );
  });

  it("says what to use where there is no editor", async () => {
    shell.editor = undefined;
    expect(await shell.run("edit deploy web")).toContain("change the object with 'kubectl patch'");
    expect(await shell.run("edit deploy nosuch")).toContain('deployments.apps "nosuch" not found');
  });
});

describe("the editor of the terminal", () => {
  it("is KUBE_EDITOR before EDITOR", () => {
    const script = join(mkdtempSync(join(tmpdir(), "editor-")), "edit.sh");
    writeFileSync(script, 'sed -i s/one/two/ "$1"\n');
    vi.stubEnv("KUBE_EDITOR", `sh ${script}`);
    vi.stubEnv("EDITOR", "false");
    expect(openEditor("one\n")).toBe("two\n");
    vi.stubEnv("KUBE_EDITOR", "");
    expect(() => openEditor("one\n")).toThrow('there was a problem with the editor "false"');
    vi.unstubAllEnvs();
  });
});
