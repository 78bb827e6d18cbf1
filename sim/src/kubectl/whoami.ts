/**
 * kubectl auth whoami: as whom the server takes one.
 * Models:     kubectl/pkg/cmd/auth/whoami.go @ v1.36
 */
import { obj, strings } from "../api/kinds/access.ts";
import type { Kind, Obj } from "../api/kinds/definition.ts";
import type { JsonObject } from "../api/types.ts";
import { flags, OUTPUT, parseArgs } from "./args.ts";
import type { Environment } from "./environment.ts";
import { inGoOrder } from "./print/go-order.ts";
import { objectPrinterFor, printText } from "./print/object.ts";
import { align, tableTabs } from "./print/tabs.ts";
import { formatOf } from "./print/template-text.ts";

export async function whoAmI(
  argv: readonly string[],
  env: Environment,
): Promise<number> {
  const args = parseArgs(argv, flags("", OUTPUT));
  const printer = objectPrinterFor(args, env);
  const apiVersion = "authentication.k8s.io/v1";
  const kind = env.kinds.kindOf(apiVersion, "SelfSubjectReview") as Kind<Obj>;
  const body = { apiVersion, kind: kind.kind, metadata: { name: "" } };
  const object = await env.client.create<Obj>(kind, body);
  if (formatOf(args).name === "name")
    env.out("selfsubjectreview.authentication.k8s.io/<unknown>");
  else if (printer) {
    const shown = inGoOrder(object, kind, env);
    printText(printer([{ kind, object: shown }], true, true), env);
  } else env.out(table(obj(obj(object.status).userInfo)));
  return 0;
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
