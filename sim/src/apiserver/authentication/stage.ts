/** The first stage: who asks? Impersonation is settled here too. */
import type { Credentials, StageDetail } from "../../api/transport.ts";
import { attributesOf } from "../authorization/stage.ts";
import { type RequestContext, recordStage } from "../context.ts";
import { authenticate } from "./authenticate.ts";
import { actingUser } from "./impersonation.ts";

export function authenticateStage(ctx: RequestContext): void {
  const { credentials } = ctx.request;
  const { user, detail } = known(ctx, credentials);
  recordStage(ctx, "authenticate", detail);
  ctx.user = user;
  const wanted = credentials?.impersonate;
  if (wanted)
    ctx.user = actingUser(ctx.server, user, wanted, attributesOf(ctx));
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
