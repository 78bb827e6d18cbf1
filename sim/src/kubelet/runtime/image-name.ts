/**
 * An image's name as a container has it: whether it is one, and with which
 * tag it is pulled.
 * Models: kubelet/images/image_manager.go applyDefaultImageTag,
 *   distribution/reference v0.6 normalize.go, reference.go, regexp.go
 * Try:    leave out the check of upper case and see what the error says.
 */
import { quote } from "../../api/go-text.ts";

const PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const HOST = `(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const ALGORITHM = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*";
const REFERENCE = new RegExp(
  `^${HOST}/(${PART}(?:/${PART})*)(?::(\\w[\\w.-]{0,127}))?(?:@(${ALGORITHM}:[0-9a-fA-F]{32,}))?$`,
);
const PATH_MAX = 255;
const DIGEST_LENGTHS: Readonly<Record<string, number>> = {
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

/** Good names and what they stand for: nodes pull the same few. */
const known = new Map<string, string>();
const KNOWN_MAX = 1000;

/** `nginx` → `nginx:latest`; throws why it is no name of an image. */
export function withDefaultTag(image: string): string {
  const found = known.get(image);
  if (found !== undefined) return found;
  const tagged = readName(image);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(image, tagged);
  return tagged;
}

function readName(image: string): string {
  const bad = (why: string) =>
    new Error(`couldn't parse image name ${quote(image)}: ${why}`);
  if (/^[a-f0-9]{64}$/.test(image)) {
    throw bad(
      `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`,
    );
  }
  const [host, rest] = splitHost(image);
  const remote = rest.split(":")[0] ?? "";
  if (remote.toLowerCase() !== remote) {
    throw bad(
      `invalid reference format: repository name (${remote}) must be lowercase`,
    );
  }
  const whole = `${host}/${rest}`;
  const found = REFERENCE.exec(whole);
  if (!found) {
    const lower = REFERENCE.test(whole.toLowerCase());
    throw bad(
      lower ? "repository name must be lowercase" : "invalid reference format",
    );
  }
  const [, path = "", tag, digest] = found;
  if (path.length > PATH_MAX) {
    throw bad(`repository name must not be more than ${PATH_MAX} characters`);
  }
  const why = digest && digestError(digest);
  if (why) throw bad(why);
  return tag || digest ? image : `${image}:latest`;
}

/** The registry's host, and what is asked of it. */
function splitHost(image: string): [string, string] {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isHost =
    /[.:]/.test(first) ||
    first === "localhost" ||
    first.toLowerCase() !== first;
  let [host, rest] = isHost
    ? [first, image.slice(slash + 1)]
    : ["docker.io", image];
  if (host === "index.docker.io") host = "docker.io";
  if (host === "docker.io" && !rest.includes("/")) rest = `library/${rest}`;
  return [host, rest];
}

function digestError(digest: string): string | undefined {
  const colon = digest.indexOf(":");
  const length = DIGEST_LENGTHS[digest.slice(0, colon)];
  const hex = digest.slice(colon + 1);
  if (!length) return "unsupported digest algorithm";
  if (hex.length !== length) return "invalid checksum digest length";
  return /^[a-f0-9]+$/.test(hex) ? undefined : "invalid checksum digest format";
}
