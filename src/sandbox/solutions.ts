/** The solutions of all labs; loaded when a reader asks for one. */
import type { LabData } from "./store.ts";

const texts = import.meta.glob<string>("/content/*/*/solution/*/**/*.{ts,yaml}", {
  query: "?raw",
  import: "default",
});

/** Files of `solution/<lab>/` by their path under sim/src, or `manifest.yaml`. */
export async function solutionOf({ lesson, id }: LabData): Promise<Record<string, string>> {
  const found = Object.entries(texts).flatMap(([path, load]) => {
    const [, , folder, , lab, ...file] = path.split("/").slice(1);
    const isThis = folder?.replace(/^\d+-/, "") === lesson && lab === id;
    return isThis ? [load().then((text): [string, string] => [file.join("/"), text])] : [];
  });
  return Object.fromEntries(await Promise.all(found));
}
