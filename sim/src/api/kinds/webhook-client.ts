/**
 * Where a webhook is: a URL, or a Service of the cluster.
 * Models: apiserver/pkg/util/webhook/validation.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { dns1123Subdomain, portNumber } from "../names.ts";
import type { JsonObject } from "../types.ts";
import { num, obj, str } from "./access.ts";

const FORM = "; desired format: https://host[/path]";

export function clientConfigErrors(
  { url, service }: JsonObject,
  path: string,
): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  return url === undefined
    ? serviceErrors(obj(service), `${path}.service`)
    : urlErrors(str(url), `${path}.url`);
}

function urlErrors(url: string, path: string): FieldError[] {
  const why = unreadable(url);
  if (why) return [required(path, `url must be a valid URL: ${why}${FORM}`)];
  const { scheme, host, user, query, fragment } = partsOf(url);
  const errors: FieldError[] = [];
  const wrong = (value: string, text: string) =>
    errors.push(invalid(path, value, text));
  if (scheme !== "https") {
    wrong(scheme, `'https' is the only allowed URL scheme${FORM}`);
  }
  if (!host) wrong(host, `host must be provided${FORM}`);
  if (user !== undefined) {
    wrong(user, "user information is not permitted in the URL");
  }
  if (fragment) wrong(fragment, "fragments are not permitted in the URL");
  if (query) wrong(query, "query parameters are not permitted in the URL");
  return errors;
}

/** What Go's url.Parse says of a text that is no URL; "" if it is one. */
function unreadable(url: string): string {
  const shown = JSON.stringify(url);
  const control = [...url].some((c) => c < " " || c === "\x7f");
  if (control) {
    return `parse ${shown}: net/url: invalid control character in URL`;
  }
  if (url.startsWith(":")) return `parse ${shown}: missing protocol scheme`;
  const { host, scheme, rest } = partsOf(url);
  const first = rest.split("/")[0]!;
  if (!scheme && !host && first.includes(":")) {
    const text = "first path segment in URL cannot contain colon";
    return `parse ${shown}: ${text}`;
  }
  const port = /:([^\]:]*)$/.exec(host)?.[1];
  return port !== undefined && !/^\d*$/.test(port)
    ? `parse ${shown}: invalid port ":${port}" after host`
    : "";
}

function partsOf(url: string) {
  const [beforeHash = "", fragment = ""] = split(url, "#");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(beforeHash)?.[1] ?? "";
  const afterScheme = scheme ? beforeHash.slice(scheme.length + 1) : beforeHash;
  const [rest = "", query = ""] = split(afterScheme, "?");
  const authority = /^\/\/([^/]*)/.exec(rest)?.[1] ?? "";
  const sign = authority.lastIndexOf("@");
  return {
    ...{ scheme: scheme.toLowerCase(), rest, query, fragment },
    host: authority.slice(sign + 1),
    user: sign < 0 ? undefined : authority.slice(0, sign),
  };
}

function split(text: string, sign: string): string[] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function serviceErrors(service: JsonObject, path: string): FieldError[] {
  const { name, namespace, path: urlPath } = service;
  const errors: FieldError[] = [];
  // Upstream hands over the two names in the other order than they are read.
  if (!namespace) {
    errors.push(required(`${path}.name`, "service name is required"));
  }
  if (!name) {
    errors.push(required(`${path}.namespace`, "service namespace is required"));
  }
  const port = num(service.port);
  const wrong = portNumber(port).join(", ");
  if (wrong) {
    errors.push(invalid(`${path}.port`, port, `port is not valid: ${wrong}`));
  }
  return [...errors, ...pathErrors(str(urlPath), `${path}.path`)];
}

function pathErrors(urlPath: string, path: string): FieldError[] {
  const wrong = (text: string) => invalid(path, urlPath, text);
  if (urlPath === "/" || urlPath === "") return [];
  if (urlPath === "//") return [wrong("segment[0] may not be empty")];
  const begun = urlPath.startsWith("/") ? [] : [wrong("must start with a '/'")];
  const steps = urlPath.slice(1).replace(/\/$/, "").split("/");
  const errors = steps.flatMap((step, i) =>
    step === ""
      ? [wrong(`segment[${i}] may not be empty`)]
      : dns1123Subdomain(step).map((text) => wrong(`segment[${i}]: ${text}`)),
  );
  return [...begun, ...errors];
}
