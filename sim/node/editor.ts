/**
 * The editor of whoever sits at the terminal: KUBE_EDITOR, else EDITOR, else vi.
 * Models:     kubectl/pkg/cmd/util/editor/editor.go @ v1.36
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Opens `text` and gives back what was saved; throws if no editor opens. */
export function openEditor(text: string): string {
  const { KUBE_EDITOR, EDITOR } = process.env;
  const command = KUBE_EDITOR || EDITOR || "vi";
  const folder = mkdtempSync(join(tmpdir(), "kubectl-edit-"));
  const file = join(folder, "edit.yaml");
  try {
    writeFileSync(file, text);
    const line = `${command} "${file}"`;
    const { status, error } = spawnSync("sh", ["-c", line], { stdio: "inherit" });
    if (error || status !== 0) throw new Error(`there was a problem with the editor "${command}"`);
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
