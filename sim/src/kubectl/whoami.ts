/**
 * kubectl auth whoami: as whom the server takes one.
 * Models:     kubectl/pkg/cmd/auth/whoami.go @ v1.36
 */
import { goJson } from "../api/go-text.ts";
import { obj, strings } from "../api/kinds/access.ts";
import type { Kind, Obj } from "../api/kinds/definition.ts";
import type { JsonObject } from "../api/types.ts";
import { flags, OUTPUT, parseArgs } from "./args.ts";
import type { Environment } from "./environment.ts";
import { jsonOf } from "./objects.ts";
import {
  noPrinter,
  OBJECT_FORMATS,
  printerFor,
  printText,
} from "./print/object.ts";
import { align, tableTabs } from "./print/tabs.ts";

export async function whoAmI(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const args = parseArgs(argv, flags("", OUTPUT));
  refuseFormat(args.get("output") ?? "");
  const printer = printerFor(args, env);
  const apiVersion = "authentication.k8s.io/v1";
  const kind = env.kinds.kindOf(apiVersion, "SelfSubjectReview") as Kind<Obj>;
  const body = { apiVersion, kind: kind.kind, metadata: { name: "" } };
  const object = await env.client.create<Obj>(kind, body);
  if (args.get("output") === "json") env.out(typedJson(jsonOf(object)));
  else if (args.get("output") === "name")
    env.out("selfsubjectreview.authentication.k8s.io/<unknown>");
  else if (printer) printText(printer([{ kind, object }], true), env);
  else env.out(table(obj(obj(object.status).userInfo)));
  return 0;
}

/** There are no tables with columns of one's own here. */
function refuseFormat(output: string): void {
  const [format = ""] = output.split("=");
  if (format === "" || OBJECT_FORMATS.includes(format)) return;
  throw noPrinter(output, OBJECT_FORMATS);
}

/** In the order of the fields of Go's type, as a typed object is written. */
function typedJson({ metadata, status }: JsonObject): string {
  const { username, uid, groups, extra } = obj(obj(status).userInfo);
  const userInfo = { username, uid, groups, extra };
  const object = {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata,
    status: { userInfo },
  };
  return goJson(object, 4);
}

function table({ username, uid, groups, extra }: JsonObject): string {
  const extras = Object.entries(obj(extra)).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const cell = (values: unknown) => `[${strings(values).join(" ")}]`;
  const rows = [
    "ATTRIBUTE\tVALUE",
    `Username\t${username}`,
    ...(uid ? [`UID\t${uid}`] : []),
    `Groups\t${cell(groups)}`,
    ...extras.map(([key, values]) => `Extra: ${key}\t${cell(values)}`),
  ];
  return align(rows.join("\n"), tableTabs());
}
