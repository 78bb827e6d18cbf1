/**
 * Versions of a custom kind that differ in more than their name: the
 * definition names a webhook that turns an object of one into one of another.
 * Models:     apiextensions-apiserver/pkg/apiserver/conversion/{converter,
 *             webhook_converter}.go @ v1.36
 * Leaves out: pruning of what the webhook gives back by the other schema.
 */
import { obj, same, str, strings } from "../../api/kinds/access.ts";
import { statusError } from "../../api/status.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import type { MaybePromise } from "../maybe.ts";
import type { ApiServer } from "../server.ts";
import { callServer } from "../webhook-call.ts";
import type { ConversionReview } from "./conversion-review.ts";

/** Turns objects into those of another version, in their order. */
export type Convert = (
  objects: readonly KubeObject[],
  apiVersion: string,
) => MaybePromise<readonly KubeObject[]>;

const TIMEOUT_SECONDS = 30;

export function converterOf(server: ApiServer, spec: JsonObject): Convert {
  const { strategy, webhook } = obj(spec.conversion);
  return strategy === "Webhook"
    ? (objects, apiVersion) =>
        byWebhook(server, spec, obj(webhook), objects, apiVersion)
    : (objects, apiVersion) =>
        objects.map((one) =>
          one.apiVersion === apiVersion ? one : { ...one, apiVersion },
        );
}

/** Only what is of another version is sent, all in one question. */
function byWebhook(
  server: ApiServer,
  spec: JsonObject,
  webhook: JsonObject,
  objects: readonly KubeObject[],
  apiVersion: string,
): MaybePromise<readonly KubeObject[]> {
  const others = objects.filter((one) => one.apiVersion !== apiVersion);
  const [first] = others;
  if (!first) return objects;
  const about = `${first.apiVersion}, Kind=${first.kind}`;
  const failed = (why: string) =>
    statusError(500, "", `conversion webhook for ${about} failed: ${why}`);
  const ask = async () => {
    const converted = await answers(server, spec, webhook, others, apiVersion);
    if (converted.length !== others.length) {
      const count = `${converted.length} objects, expected ${others.length}`;
      const why = `conversion webhook for ${about} returned ${count}`;
      throw statusError(500, "", why);
    }
    const fresh = others.map((one, i) =>
      checked(one, converted[i]!, apiVersion, about, i),
    );
    return objects.map((one) => fresh[others.indexOf(one)] ?? one);
  };
  return ask().catch((error: Error) => {
    throw "status" in error ? error : failed(error.message);
  });
}

async function answers(
  server: ApiServer,
  spec: JsonObject,
  webhook: JsonObject,
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
): Promise<readonly KubeObject[]> {
  const uid = server.kernel.uid();
  const review: ConversionReview = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid, desiredAPIVersion, objects },
  };
  const versions = strings(webhook.conversionReviewVersions);
  if (!versions.includes("v1")) {
    throw new Error(`no supported conversion review version: ${versions}`);
  }
  const { response } = await callServer(server, {
    clientConfig: obj(webhook.clientConfig),
    seconds: TIMEOUT_SECONDS,
    name: `${str(obj(spec.names).plural)}.${str(spec.group)}`,
    review,
    answer: (one) => one.convert?.(review),
  });
  if (!response) throw new Error("response is empty");
  const { result, convertedObjects } = response;
  if (result.status !== "Success")
    throw new Error(result.message || "no message");
  return convertedObjects;
}

/** The name and all that the server keeps must be as they were. */
function checked(
  before: KubeObject,
  after: KubeObject,
  apiVersion: string,
  about: string,
  index: number,
): KubeObject {
  const wrong = (why: string) =>
    statusError(
      500,
      "",
      `conversion webhook for ${about} returned invalid converted object at index ${index}: ${why}`,
    );
  if (after.apiVersion !== apiVersion) {
    throw wrong(
      `invalid groupVersion (expected ${apiVersion}, received ${after.apiVersion})`,
    );
  }
  if (after.kind !== before.kind) {
    throw wrong(
      `invalid kind (expected ${before.kind}, received ${after.kind})`,
    );
  }
  for (const field of ["name", "namespace", "uid"] as const) {
    if (same(after.metadata[field], before.metadata[field])) continue;
    throw wrong(`invalid metadata: must have the same ${field}`);
  }
  // Labels and annotations alone are the webhook's to change.
  const { labels, annotations } = after.metadata;
  const { labels: _l, annotations: _a, ...kept } = before.metadata;
  const metadata = {
    ...kept,
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  };
  return { ...after, metadata };
}
