/**
 * For figures that are drawn at build time: the run of a lab of the page's own
 * lesson, from its first entry to its last, with all details.
 */
import type { TraceEntry } from "@shikumi/sim";
import type { Lab } from "../sandbox/lab.ts";
import { runOf, type Variant } from "./run.ts";

const files = import.meta.glob<{ default: readonly Lab[] }>("/content/*/*/lab.ts", {
  eager: true,
});

/** Entries of the lab `id` of the lesson at `pathname`, such as `/en/cni/`. */
export async function runOfLab(
  pathname: string,
  id: string,
  variant: Variant = {},
): Promise<readonly TraceEntry[]> {
  const lesson = pathname.split("/").filter(Boolean).at(-1)!;
  const file = Object.keys(files).find(
    (path) => path.split("/").at(-2)?.replace(/^\d+-/, "") === lesson,
  );
  const lab = file && files[file]!.default.find((one) => one.id === id);
  if (!lab) throw new Error(`content/…-${lesson}/lab.ts sets up no lab "${id}".`);
  return runOf(lab, variant);
}
