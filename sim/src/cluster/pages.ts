/**
 * Web servers outside of the cluster, as far as kubelets ask them.
 */
import type { Kernel } from "../kernel/index.ts";
import type { PageAnswer } from "../kubelet/static-pods-url.ts";
import type { Page } from "../scenario.ts";

/** The page as it is now; throws where nobody serves such a one. */
export function fetchFrom(
  kernel: Kernel,
  pages: readonly Page[],
  url: string,
): PageAnswer {
  const now = kernel.now();
  const page = pages.findLast(
    (one) => one.url === url && (one.atMs ?? 0) <= now,
  );
  if (page?.text !== undefined) return { status: "200 OK", text: page.text };
  if (page) return { status: "404 Not Found", text: "" };
  const host = /^\w+:\/\/([^/:]+)/.exec(url)?.[1] ?? url;
  const why = `dial tcp: lookup ${host}: no such host`;
  throw new Error(`Get "${url}": ${why}`);
}
