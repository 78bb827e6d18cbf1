/**
 * What a Pod asks for as a whole, where it says only a part of it: what its
 * containers ask for together, else its own limit.
 * Models: defaultPodRequests, defaultHugePagePodLimits in
 *         pkg/apis/core/v1/defaults.go @ v1.36
 */
import { podQuantities } from "../helpers/pod-quantities.ts";
import { isPodLevel } from "../helpers/pod-requests.ts";
import type { JsonObject } from "../types.ts";
import { map, obj } from "./access.ts";
import { isHugePages } from "./resource-names.ts";

type Amounts = ReturnType<typeof map>;

export function podLevelDefaults(spec: JsonObject): JsonObject {
  const { resources, ...own } = spec;
  const [limits, requests] = [
    map(obj(resources).limits),
    map(obj(resources).requests),
  ];
  if (isEmpty(limits) && isEmpty(requests)) return spec;
  const together = (side: "limits" | "requests") =>
    podQuantities(own as never, side, false);
  // Pages that are asked for without a limit are left for validation.
  const pages = only(together("limits"), isHugePages);
  const most = { ...only(pages, (name) => !(name in requests)), ...limits };
  const least = isEmpty(most)
    ? requests
    : {
        ...only(most, isPodLevel),
        ...only(together("requests"), isShared),
        ...requests,
      };
  if (count(most) === count(limits) && count(least) === count(requests))
    return spec;
  const sides = {
    ...(isEmpty(most) ? {} : { limits: most }),
    ...(isEmpty(least) ? {} : { requests: least }),
  };
  return { ...spec, resources: { ...obj(resources), ...sides } };
}

/** More of it may be promised than there is. */
function isShared(name: string): boolean {
  return isPodLevel(name) && !isHugePages(name);
}

function only(amounts: Amounts, keep: (name: string) => boolean): Amounts {
  const kept = Object.entries(amounts).filter(([name]) => keep(name));
  return Object.fromEntries(kept);
}

function count(amounts: Amounts): number {
  return Object.keys(amounts).length;
}

function isEmpty(amounts: Amounts): boolean {
  return count(amounts) === 0;
}
