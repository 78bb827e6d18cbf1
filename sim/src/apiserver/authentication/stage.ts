/** The first stage: who asks? Impersonation is settled here too. */
import { forbidden } from "../../api/status.ts";
import type { Credentials, StageDetail } from "../../api/transport.ts";
import { type RequestContext, recordStage } from "../context.ts";
import { authenticate } from "./authenticate.ts";
import { authenticated, type UserInfo } from "./user.ts";

export function authenticateStage(ctx: RequestContext): void {
  const { credentials } = ctx.request;
  const { user, detail } = known(ctx, credentials);
  recordStage(ctx, "authenticate", detail);
  ctx.user = user;
  if (credentials?.impersonate) ctx.user = impersonated(ctx, user);
}

/** Credentials that were seen before are not looked at again. */
function known(ctx: RequestContext, credentials: Credentials | undefined) {
  const { server } = ctx;
  const seen = credentials && server.usersSeen.get(credentials);
  if (seen) return seen;
  const { user, by } = authenticate(credentials, server.authenticators);
  const message = user.name;
  const detail: StageDetail = Object.freeze({ verdict: "allow", by, message });
  const found = { user, detail };
  // Tokens end; certificates stay what they are.
  if (credentials?.certificate) server.usersSeen.set(credentials, found);
  return found;
}

/** Who may act as another one becomes that one. */
function impersonated(ctx: RequestContext, user: UserInfo): UserInfo {
  const { user: name, groups = [] } = ctx.request.credentials!.impersonate!;
  const wanted = [
    { resource: "users", name },
    ...groups.map((group) => ({ resource: "groups", name: group })),
  ];
  for (const { resource, name } of wanted) {
    const a = { verb: "impersonate", group: "", resource, name };
    if (ctx.server.authorizer.authorize(user, a).allowed) continue;
    const why = `User "${user.name}" cannot impersonate resource "${resource}" in API group "" at the cluster scope`;
    throw forbidden({ group: "", resource }, name, why);
  }
  return { name, groups: authenticated(groups) };
}
