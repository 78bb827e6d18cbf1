/**
 * crictl info and imagefsinfo: what the runtime says of itself and of its
 * disk, as JSON with sorted keys.
 * Models:     cri-tools cmd/crictl/{info,image,util}.go outputStatusData
 * Leaves out: containerd's whole configuration, and the parsed CNI files.
 */
import type { FilesystemUsage, StatusResponse } from "../api.ts";

export function infoText(answer: StatusResponse): string {
  const { status, runtime_handlers, features, info = {} } = answer;
  const conditions = status.conditions.map((one) => {
    // As protobuf writes it: what is not set, too.
    return { message: "", reason: "", status: false, ...one };
  });
  const own = Object.entries(info).map(([name, json]) => [
    name,
    JSON.parse(json) as unknown,
  ]);
  return text({
    ...{ features, runtimeHandlers: runtime_handlers, status: { conditions } },
    ...Object.fromEntries(own),
  });
}

export function fsInfoText(answer: {
  readonly image_filesystems: readonly FilesystemUsage[];
}): string {
  const shown = answer.image_filesystems.map((one) => ({
    fsId: one.fs_id,
    timestamp: String(one.timestamp),
    usedBytes: { value: String(one.used_bytes.value) },
  }));
  return text({
    status: { containerFilesystems: [], imageFilesystems: shown },
  });
}

/** As Go writes a map. */
function text(value: object): string {
  return JSON.stringify(sorted(value), null, 2);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const keys = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(keys.map(([key, one]) => [key, sorted(one)]));
}
