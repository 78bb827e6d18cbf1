/** Who asks, by the headers of a request. */
import { unauthorized } from "../../api/status.ts";
import type { Credentials } from "../../api/transport.ts";

/** Token and impersonation. Throws 401 for what is no bearer token. */
export function credentialsOf(
  { headers }: Request,
  fallback?: Credentials,
): Credentials | undefined {
  const header = headers.get("authorization");
  const user = headers.get("impersonate-user");
  const groups = headers.get("impersonate-group");
  const impersonate = user
    ? { user, groups: groups ? groups.split(", ") : [] }
    : undefined;
  if (!header) return impersonate ? { ...fallback, impersonate } : fallback;
  const [scheme = "", token = ""] = header.split(" ");
  if (scheme.toLowerCase() !== "bearer") throw unauthorized();
  return impersonate ? { token, impersonate } : { token };
}
