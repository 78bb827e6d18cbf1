/**
 * Versions of a custom kind that differ in more than their name: the
 * definition names a webhook that turns an object of one into one of another.
 * Models:     apiextensions-apiserver/pkg/apiserver/conversion/{converter,
 *             webhook_converter}.go @ v1.36, with its texts
 * Leaves out: pruning of what the webhook gives back by the other schema. The
 *             real server asks object by object while it fills its cache of
 *             each version; here a read asks for all that it gives.
 */
import { obj, str, strings } from "../../api/kinds/access.ts";
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
const REVIEW = "apiextensions.k8s.io/v1, Kind=ConversionReview";

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
  const about = `conversion for ${first.apiVersion}, Kind=${first.kind}`;
  const failed = (why: string) => statusError(500, "", `${about} ${why}`);
  const ask = async () => {
    const converted = await answers(server, spec, webhook, others, apiVersion);
    if (converted.length !== others.length) {
      const count = `${converted.length} objects, expected ${others.length}`;
      throw failed(`returned ${count}`);
    }
    const fresh = others.map((one, i) => {
      const after = converted[i]!;
      const why = whatIsWrong(one, after, apiVersion);
      if (!why) return restored(one, after);
      // Counted from 1: that is how upstream counts.
      const index = `returned invalid converted object at index ${i + 1}`;
      throw failed(`${index}: ${why}`);
    });
    return objects.map((one) => fresh[others.indexOf(one)] ?? one);
  };
  return ask().catch((error: Error) => {
    throw "status" in error ? error : failed(`failed: ${error.message}`);
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
    throw new Error("no supported conversion review versions");
  }
  const asked = callServer(server, {
    clientConfig: obj(webhook.clientConfig),
    seconds: TIMEOUT_SECONDS,
    name: `${str(obj(spec.names).plural)}.${str(spec.group)}`,
    review,
    answer: (one) => one.convert?.(review),
  });
  try {
    return objectsOf(await asked, uid);
  } catch (error) {
    // The list that is sent names no kind.
    const { message } = error as Error;
    throw new Error(`conversion webhook for /, Kind= failed: ${message}`);
  }
}

/** The answer must be one, to this question, and a success. */
function objectsOf(review: ConversionReview, uid: string) {
  const { apiVersion, kind, response } = review;
  const got = `${apiVersion}, Kind=${kind}`;
  if (got !== REVIEW) {
    throw new Error(`expected webhook response of ${REVIEW}, got ${got}`);
  }
  if (!response) throw new Error("no response provided");
  if (response.uid !== uid) {
    const uids = `expected response.uid="${uid}", got "${response.uid}"`;
    throw new Error(uids);
  }
  const { status = "", message } = response.result;
  if (status === "Success") return response.convertedObjects;
  const otherwise = `response.result.status was '${status}', not 'Success'`;
  throw new Error(message || otherwise);
}

/** The kind, and all that names the object, must be as they were. */
function whatIsWrong(
  before: KubeObject,
  after: KubeObject,
  apiVersion: string,
): string {
  const differ = (what: string, expected: string, received: string) =>
    `invalid ${what} (expected ${expected}, received ${received})`;
  if (after.apiVersion !== apiVersion) {
    return differ("groupVersion", apiVersion, after.apiVersion);
  }
  if (after.kind !== before.kind) {
    return differ("kind", before.kind, after.kind);
  }
  for (const field of ["name", "namespace", "uid"] as const) {
    const [was = "", is = ""] = [before.metadata[field], after.metadata[field]];
    const what = field === "uid" ? "UID" : field;
    if (was !== is) return `must have the same ${what}: ${was} != ${is}`;
  }
  return "";
}

/** Labels and annotations alone are the webhook's to change. */
function restored(before: KubeObject, after: KubeObject): KubeObject {
  const { labels, annotations } = after.metadata;
  const { labels: _l, annotations: _a, ...kept } = before.metadata;
  const metadata = {
    ...kept,
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  };
  return { ...after, metadata };
}
