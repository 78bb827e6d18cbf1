/**
 * Acting as somebody else. Several modes are tried, the narrow ones first:
 * they ask whether the caller may do this one thing in the other's name, and
 * then whether it may be that other. The old mode asks for the second alone.
 * Models:     apiserver/pkg/endpoints/filters/impersonation @ v1.36
 * Leaves out: its caches, and that the mode that worked last is tried first.
 * Try:        grant `impersonate:user-info` on a user, and then
 *             `impersonate-on:user-info:list` on Pods.
 */
import { quote } from "../../api/go-text.ts";
import { badRequest, StatusError } from "../../api/status.ts";
import type { Credentials } from "../../api/transport.ts";
import type { Attributes } from "../authorization/rule.ts";
import { refusal } from "../authorization/stage.ts";
import type { ApiServer } from "../server.ts";
import { limitExtra, limitGroups } from "./impersonation-limits.ts";
import { serviceAccountUser } from "./service-account.ts";
import { ANONYMOUS, authenticated, type UserInfo } from "./user.ts";

export type Wanted = NonNullable<Credentials["impersonate"]>;
/** Throws 403 unless the caller may. */
export type Demand = (a: Attributes, more?: string) => void;

const OWN_GROUP = "authentication.k8s.io";
const NODE_KEY = "authentication.kubernetes.io/node-name";
/** From so many on, one check for all of them is tried first. */
const MANY = 4;

// region: modes
/** The narrow modes in their order, and whom each may be used for. */
const MODES: {
  readonly [mode: string]: (wanted: Wanted, caller: UserInfo) => boolean;
} = {
  "associated-node": (wanted, caller) =>
    isOnlyName(wanted) &&
    accountOf(caller.name) !== undefined &&
    caller.extra?.[NODE_KEY]?.join() === (nodeOf(wanted.user) ?? ""),
  "arbitrary-node": (wanted) =>
    isOnlyName(wanted) && nodeOf(wanted.user) !== undefined,
  serviceaccount: (wanted) =>
    isOnlyName(wanted) && accountOf(wanted.user) !== undefined,
  "user-info": ({ user }) => !nodeOf(user) && !accountOf(user),
};
// endregion: modes

/** Whom the request counts as: the caller, or whom it may act as. */
export function actingUser(
  server: ApiServer,
  caller: UserInfo,
  wanted: Wanted | undefined,
  asked: Attributes,
): UserInfo {
  if (!wanted) return caller;
  if (!wanted.user) {
    throw badRequest(
      `requested ${goText(wanted)} without impersonating a user name`,
    );
  }
  const demand: Demand = (a) => {
    const { allowed, reason } = server.authorizer.authorize(caller, a);
    if (!allowed) throw refusal(caller.name, a, reason);
  };
  let first: StatusError | undefined;
  for (const mode of [...Object.keys(MODES), ""]) {
    if (mode && !MODES[mode]!(wanted, caller)) continue;
    try {
      const verb = `impersonate-on:${mode}:${asked.verb}`;
      if (mode) demand({ ...asked, verb });
      return become(caller, wanted, mode, demand);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      first ??= error;
    }
  }
  throw first;
}

/** The wanted user, if the caller may be each part of it. */
function become(
  caller: UserInfo,
  wanted: Wanted,
  mode: string,
  demand: Demand,
): UserInfo {
  const { user: name, uid, groups: asked = [], extra = {} } = wanted;
  const verb = mode ? `impersonate:${mode}` : "impersonate";
  const group = mode ? OWN_GROUP : "";
  const account = accountOf(name);
  const node = mode ? nodeOf(name) : undefined;
  let groups = asked;
  if (account) {
    demand({ verb, group, resource: "serviceaccounts", ...account });
    const { namespace } = account;
    const own = serviceAccountUser(namespace, account.name, "");
    if (asked.length === 0) groups = own.groups;
  } else if (node) {
    const one = mode === "associated-node" ? "*" : node;
    demand({ verb, group, resource: "nodes", name: one });
    groups = ["system:nodes"];
  } else demand({ verb, group, resource: "users", name });
  const own = { verb, group: OWN_GROUP };
  if (uid) demand({ ...own, resource: "uids", name: uid });
  const inGroup = { verb, group, resource: "groups" };
  if (mode) limitGroups(caller, asked, inGroup);
  demandAll(
    demand,
    mode,
    [...asked].map((one) => ({ ...inGroup, name: one })),
  );
  const withExtra = { ...own, resource: "userextras" };
  if (mode) limitExtra(caller, extra, withExtra);
  const values = Object.entries(extra).flatMap(([subresource, all]) =>
    all.map((value) => ({ ...withExtra, subresource, name: value })),
  );
  demandAll(demand, mode, values);
  const more = values.length > 0 ? { extra } : {};
  return { name, uid, groups: withStanding(name, groups), ...more };
}

function demandAll(demand: Demand, mode: string, all: Attributes[]): void {
  if (mode && all.length >= MANY && mayAll(demand, all[0]!)) return;
  for (const one of all) demand(one);
}

function mayAll(demand: Demand, { subresource, ...rest }: Attributes): boolean {
  try {
    demand({
      ...rest,
      ...(subresource ? { subresource: "*" } : {}),
      name: "*",
    });
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}

/** Everybody is in one of the two groups that tell who was authenticated. */
function withStanding(name: string, groups: readonly string[]) {
  const [unauthenticated = ""] = ANONYMOUS.groups;
  if (groups.includes(unauthenticated)) return groups;
  if (name === ANONYMOUS.name) return [...groups, unauthenticated];
  return authenticated(groups);
}

function isOnlyName({ uid, groups = [], extra = {} }: Wanted): boolean {
  return !uid && groups.length === 0 && Object.keys(extra).length === 0;
}

function accountOf(user: string) {
  const [, namespace, name] =
    /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/.exec(user) ?? [];
  return namespace && name ? { namespace, name } : undefined;
}

function nodeOf(user: string): string | undefined {
  return /^system:node:([a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/.exec(user)?.[1];
}

/** As Go prints it: the message says so. */
function goText({ uid = "", groups = [], extra = {} }: Wanted): string {
  const texts = (all: readonly string[]) =>
    all.length > 0
      ? `[]string{${all.map((one) => quote(one)).join(", ")}}`
      : "[]string(nil)";
  const pairs = Object.entries(extra).map(
    ([key, values]) => `${quote(key)}:${texts(values)}`,
  );
  const map = "map[string][]string";
  const all = pairs.length > 0 ? `${map}{${pairs.join(", ")}}` : `${map}(nil)`;
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${texts(groups)}, Extra:${all}}`;
}
