/**
 * Static Pods from a URL: asked for every 20 seconds. As long as nobody
 * answers well, the Pods of the last good answer go on.
 * Models:     pkg/kubelet/config/http.go @ v1.36
 * Leaves out: lists of Pods; headers.
 */
import type { ComponentContext } from "../client/component.ts";
import type { KubeletOptions } from "./options.ts";
import { messageOf } from "./runtime/context.ts";
import { parseGoDuration } from "./settings.ts";
import { type StaticPodSink, staticPod, telling } from "./static-pods.ts";

/** What a web server says. */
export interface PageAnswer {
  /** `200 OK` */
  readonly status: string;
  readonly text: string;
}

/** Returns how to end it. */
export function startUrlPods(
  { kernel, actor }: ComponentContext,
  options: KubeletOptions,
  sink: StaticPodSink,
): () => void {
  const { fetch, parseManifest, configuration = {} } = options;
  const { staticPodURL: url, httpCheckFrequency = "20s" } = configuration;
  if (!url || !fetch || !parseManifest) return () => {};
  const tell = telling(sink);
  let last = "";
  const read = () => {
    const { status, text } = fetch(url);
    if (status !== "200 OK") throw new Error(`${url}: ${status}`);
    if (text === "") {
      tell([]);
      throw new Error(`zero-length data received from ${url}`);
    }
    if (text === last) return;
    last = text;
    tell([staticPod(options, parseManifest(text), text, "http")]);
  };
  let timer = kernel.after(0, function look() {
    timer = kernel.after(parseGoDuration(httpCheckFrequency), look);
    try {
      read();
    } catch (error) {
      const message = messageOf(error);
      kernel.record(actor, "error", "pods from URL", "", { message });
    }
  });
  return () => timer.cancel();
}
