/**
 * What a container has written, and where that lies: in a volume that is
 * mounted there, or in its own writable layer.
 */
import type { ContainerRecord } from "./records.ts";

/** Bytes in the writable layer. */
export function layerBytes(container: ContainerRecord): number {
  let sum = 0;
  for (const [path, size] of container.process?.writes() ?? []) {
    if (volumeOf(container, path) === undefined) sum += size;
  }
  return sum;
}

/** Name of the volume in which the path lies. */
export function volumeOf({ config }: ContainerRecord, path: string) {
  let best = "";
  let name: string | undefined;
  for (const { container_path, host_path } of config.mounts ?? []) {
    const inside =
      path === container_path || path.startsWith(`${container_path}/`);
    if (!inside || container_path.length <= best.length) continue;
    best = container_path;
    name = host_path.slice(host_path.lastIndexOf("/") + 1);
  }
  return name;
}
