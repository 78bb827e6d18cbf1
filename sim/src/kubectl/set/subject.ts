/**
 * kubectl set subject: adds users, groups and accounts to a binding.
 * Models:     kubectl/pkg/cmd/set/set_subject.go @ v1.36
 */
import { list, str } from "../../api/kinds/access.ts";
import type { JsonObject, KubeObject } from "../../api/types.ts";
import { type Args, flags, OUTPUT, parseArgs, SELECT } from "../args.ts";
import { type Command, CommandError } from "../environment.ts";
import type { Found } from "../find.ts";
import { jsonOf } from "../objects.ts";
import { objectPrinterFor } from "../print/object.ts";
import { about, changeEach, objectsOf } from "./change.ts";

const FLAGS = flags(
  "user:value group:value serviceaccount:value local",
  OUTPUT,
  SELECT,
);

export const setSubject: Command = async (argv, env) => {
  const args = parseArgs(argv, FLAGS);
  objectPrinterFor(args, env);
  // Upstream reads the objects before it looks at the flags.
  const { items, errors } = await objectsOf(args, args.words, env);
  if (errors.length > 0) throw errors[0];
  const wanted = subjectsOf(args, items);
  await changeEach(items, args, env, {
    done: "subjects updated",
    failure: "failed to patch subjects to rolebinding:",
    change: (found) => withSubjects(found, wanted),
  });
  return 0;
};

function subjectsOf(
  args: Args,
  items: readonly Found[],
): readonly JsonObject[] {
  const sorted = (flag: string) => [...new Set(args.all(flag))].sort();
  const users = sorted("user").map((name) => subject("User", name));
  const groups = sorted("group").map((name) => subject("Group", name));
  const cluster = items.some(({ kind }) => kind.kind === "ClusterRoleBinding");
  const accounts = sorted("serviceaccount").map((text) => {
    const [namespace = "", name = "", more] = text.split(":");
    if (!name || more !== undefined)
      throw new CommandError("serviceaccount must be <namespace>:<name>");
    if (!namespace && cluster)
      throw new CommandError(
        "serviceaccount must be <namespace>:<name>, namespace must be specified",
      );
    const where = namespace || (args.get("namespace") ?? "default");
    return { kind: "ServiceAccount", name, namespace: where };
  });
  const all = [...users, ...groups, ...accounts];
  if (all.length > 0) return all;
  throw new CommandError(
    "you must specify at least one value of user, group or serviceaccount",
  );
}

function subject(kind: string, name: string): JsonObject {
  return { apiGroup: "rbac.authorization.k8s.io", kind, name };
}

function withSubjects(found: Found, wanted: readonly JsonObject[]): KubeObject {
  const { kind, object } = found;
  if (kind.kind !== "RoleBinding" && kind.kind !== "ClusterRoleBinding")
    throw about(
      found,
      "setting subjects is only supported for RoleBinding/ClusterRoleBinding",
    );
  const before = list(jsonOf(object).subjects);
  const isNew = (one: JsonObject) => !before.some((old) => isSame(old, one));
  const subjects = [...before, ...wanted.filter(isNew)];
  return { ...object, ...{ subjects } };
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  const fields = ["kind", "apiGroup", "name", "namespace"];
  return fields.every((field) => str(a[field]) === str(b[field]));
}
