/** Who asks, by the headers of a request. */
import { unauthorized } from "../../api/status.ts";
import type { Credentials } from "../../api/transport.ts";

/** Token and impersonation. Throws 401 for what is no bearer token. */
export function credentialsOf(
  { headers }: Request,
  fallback?: Credentials,
): Credentials | undefined {
  const header = headers.get("authorization");
  const impersonate = impersonateOf(headers);
  if (!header) return impersonate ? { ...fallback, impersonate } : fallback;
  const [scheme = "", token = ""] = header.split(" ");
  if (scheme.toLowerCase() !== "bearer") throw unauthorized();
  return impersonate ? { token, impersonate } : { token };
}

const EXTRA = "impersonate-extra-";

/** Without a user it is refused later on, with what was wanted. */
function impersonateOf(headers: Headers): Credentials["impersonate"] {
  const user = headers.get("impersonate-user") ?? "";
  const uid = headers.get("impersonate-uid") || undefined;
  const groups = valuesOf(headers.get("impersonate-group"));
  const extra: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    if (!name.startsWith(EXTRA)) continue;
    extra[unescapeKey(name.slice(EXTRA.length))] = valuesOf(value);
  }
  const more = groups.length > 0 || Object.keys(extra).length > 0;
  return user || uid || more ? { user, uid, groups, extra } : undefined;
}

/** A header that is sent several times arrives as one. */
function valuesOf(text: string | null): string[] {
  return text === null ? [] : text.split(", ");
}

/** A key that is not a header's name is sent with %-escapes. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
