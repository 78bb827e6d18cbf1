/**
 * RBAC: a user may do what the rules of the roles bound to it allow, and
 * nothing else; there is no rule that forbids. ClusterRoleBindings count
 * everywhere, RoleBindings in their namespace.
 * Models:     plugin/pkg/auth/authorizer/rbac/rbac.go,
 *             pkg/registry/rbac/validation/rule.go @ v1.36
 * Try:        let `authorize` say yes to everybody, and see who notices.
 */
import { aggregate } from "../../api/field-error.ts";
import { type LabelSelectorObject, labelSelector } from "../../api/selector.ts";
import type { KubeObject } from "../../api/types.ts";
import type { UserInfo } from "../authentication/user.ts";
import type { WatchCache } from "../registry/watch-cache.ts";
import { type Attributes, type PolicyRule, ruleAllows } from "./rule.ts";

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface RoleObject extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: {
    readonly clusterRoleSelectors?: readonly LabelSelectorObject[];
  };
}

interface BindingObject extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: { readonly kind: string; readonly name: string };
}

/** Rules that one user has, and who gave them. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  /** "" for everywhere. */
  readonly namespace: string;
  /** What the authorizer says if this rule decides. */
  readonly verdict: {
    readonly allowed: true;
    /** `ClusterRoleBinding "x" of ClusterRole "y" to Group "z"`. */
    readonly by: string;
    readonly reason: string;
  };
}

export interface RbacCaches {
  readonly roles: WatchCache;
  readonly rolebindings: WatchCache;
  readonly clusterroles: WatchCache;
  readonly clusterrolebindings: WatchCache;
}

export class Rbac {
  private readonly caches: RbacCaches;
  /** What each user was granted, until any role or binding changes. */
  private granted = new WeakMap<UserInfo, Grants>();

  constructor(caches: RbacCaches) {
    this.caches = caches;
    for (const cache of Object.values(caches) as WatchCache[]) {
      cache.onChange(() => {
        this.granted = new WeakMap();
      });
    }
  }

  // region: authorize
  /** The grant that allows it, or undefined. */
  authorize(user: UserInfo, a: Attributes): GrantedRule | undefined {
    const { everywhere, byNamespace } = this.grantsOf(user);
    const found = everywhere.find(({ rule }) => ruleAllows(rule, a));
    if (found || !a.namespace) return found;
    const here = byNamespace.get(a.namespace);
    return here?.find(({ rule }) => ruleAllows(rule, a));
  }
  // endregion: authorize

  /** All that the user may do in the namespace. */
  rulesFor(user: UserInfo, namespace: string): readonly GrantedRule[] {
    const { everywhere, byNamespace } = this.grantsOf(user);
    return [...everywhere, ...(byNamespace.get(namespace) ?? [])];
  }

  private grantsOf(user: UserInfo): Grants {
    const known = this.granted.get(user);
    if (known) return known;
    const grants: Grants = {
      everywhere: [],
      byNamespace: new Map(),
      errors: [],
    };
    for (const binding of this.bindings("clusterrolebindings")) {
      this.grant(user, binding, "", grants.everywhere, grants.errors);
    }
    for (const binding of this.bindings("rolebindings")) {
      const namespace = binding.metadata.namespace ?? "";
      const rules = grants.byNamespace.get(namespace) ?? [];
      this.grant(user, binding, namespace, rules, grants.errors);
      if (rules.length > 0) grants.byNamespace.set(namespace, rules);
    }
    this.granted.set(user, grants);
    return grants;
  }

  private bindings(name: "clusterrolebindings" | "rolebindings") {
    return this.caches[name].list("") as BindingObject[];
  }

  private grant(
    user: UserInfo,
    binding: BindingObject,
    namespace: string,
    into: GrantedRule[],
    errors: RoleError[],
  ): void {
    const subject = binding.subjects?.find((s) =>
      isSubject(s, user, namespace),
    );
    if (!subject) return;
    const { kind, name } = binding.roleRef;
    const bindingKind = namespace ? "RoleBinding" : "ClusterRoleBinding";
    const bound = binding.metadata.name + (namespace ? `/${namespace}` : "");
    const of = `${bindingKind} "${bound}" of ${kind} "${name}" to ${described(subject, namespace)}`;
    const role = this.role(kind, name, namespace);
    if (!role) {
      const resource = kind === "Role" ? "role" : "clusterrole";
      const text = `${resource}.rbac.authorization.k8s.io "${name}" not found`;
      errors.push({ namespace, text });
    }
    const reason = `RBAC: allowed by ${of}`;
    const verdict = Object.freeze({ allowed: true, by: of, reason });
    for (const rule of this.rulesOf(role)) {
      into.push({ rule, namespace, verdict });
    }
  }

  /**
   * Its own rules, and those of the roles that it aggregates. Upstream a
   * controller copies these into the role; here they are looked up.
   */
  private rulesOf(role: RoleObject | undefined): readonly PolicyRule[] {
    const rules = role?.rules ?? [];
    const selectors = role?.aggregationRule?.clusterRoleSelectors ?? [];
    if (selectors.length === 0) return rules;
    const all = this.caches.clusterroles.list("") as RoleObject[];
    const chosen = selectors
      .map((selector) => labelSelector(selector))
      .flatMap((one) =>
        all.filter(({ metadata }) => one.matches(metadata.labels)),
      );
    return [...rules, ...chosen.flatMap((one) => this.rulesOf(one))];
  }

  private role(kind: string, name: string, namespace: string) {
    const role =
      kind === "ClusterRole"
        ? this.caches.clusterroles.get(name)
        : this.caches.roles.get(`${namespace}/${name}`);
    return role as RoleObject | undefined;
  }

  /** All that a role allows; undefined if there is none of that name. */
  rulesOfRole(kind: string, name: string, namespace: string) {
    const role = this.role(kind, name, namespace);
    return role && this.rulesOf(role);
  }

  /** Why roles that the user is bound to could not be read; "" if all were. */
  errorsFor(user: UserInfo, namespace = ""): string {
    const texts = this.grantsOf(user)
      .errors.filter((e) => e.namespace === "" || e.namespace === namespace)
      .map(({ text }) => text);
    return texts.length === 0 ? "" : aggregate(texts);
  }
}

interface RoleError {
  readonly namespace: string;
  readonly text: string;
}

interface Grants {
  readonly everywhere: GrantedRule[];
  readonly byNamespace: Map<string, GrantedRule[]>;
  readonly errors: RoleError[];
}

function isSubject(subject: Subject, user: UserInfo, namespace: string) {
  if (subject.kind === "User") return subject.name === user.name;
  if (subject.kind === "Group") return user.groups.includes(subject.name);
  const inNamespace = subject.namespace || namespace;
  const { name } = subject;
  return user.name === `system:serviceaccount:${inNamespace}:${name}`;
}

/** `Group "dev"`; of an account also its namespace. */
function described(subject: Subject, namespace: string): string {
  const { kind, name } = subject;
  if (kind !== "ServiceAccount") return `${kind} "${name}"`;
  return `${kind} "${name}/${subject.namespace || namespace}"`;
}
