/**
 * kubectl certificate: approves or denies what asks for a certificate.
 * Models: kubectl/pkg/cmd/certificates/certificates.go @ v1.36
 */
import type { CertificateSigningRequest } from "../api/kinds/certificatesigningrequest.ts";
import { isConflict } from "../api/status.ts";
import { flags, OUTPUT, parseArgs, SELECT } from "./args.ts";
import {
  type Command,
  CommandError,
  type Environment,
  throwAll,
} from "./environment.ts";
import { type Found, find } from "./find.ts";
import { typed } from "./objects.ts";
import { printDone } from "./print/done.ts";
import { objectPrinterFor } from "./print/object.ts";

const FLAGS = flags("force", SELECT, OUTPUT);
/** Times that a lost race is run again. */
const RETRIES_MAX = 10;

interface Verdict {
  readonly type: "Approved" | "Denied";
  /** What it cannot be any more once it is the other. */
  readonly other: "Approved" | "Denied";
  readonly reason: string;
}

const VERDICTS: { readonly [verb: string]: Verdict } = {
  approve: { type: "Approved", other: "Denied", reason: "KubectlApprove" },
  deny: { type: "Denied", other: "Approved", reason: "KubectlDeny" },
};

export const certificate: Command = async (argv, env) => {
  const [name = "", ...rest] = argv;
  const verdict = Object.hasOwn(VERDICTS, name) ? VERDICTS[name] : undefined;
  if (!verdict) throw new CommandError(`unknown command "certificate ${name}"`);
  const args = parseArgs(rest, FLAGS);
  objectPrinterFor(args, env);
  if (args.words.length === 0 && args.all("filename").length === 0) {
    const how = "must be specified as <name> or -f <filename>";
    throw new CommandError(`one or more CSRs ${how}`);
  }
  const isPair = args.words.some((word) => word.includes("/"));
  const words = isPair ? args.words : ["csr", ...args.words];
  const named = args.words.length > 0 ? words : [];
  const { items, errors } = await find(args, named, env, { verb: name });
  const failed: unknown[] = [...errors];
  for (const one of items) {
    try {
      await decide(one, verdict, name, args.on("force"), env);
      const done = verdict.type.toLowerCase();
      printDone(args, env, one.kind, one.object, done, true);
    } catch (error) {
      failed.push(error);
    }
  }
  throwAll(failed);
  return 0;
};

async function decide(
  { kind, object }: Found,
  { type, other, reason }: Verdict,
  verb: string,
  force: boolean,
  { client }: Environment,
): Promise<void> {
  const { name } = object.metadata;
  const message = `This CSR was ${type.toLowerCase()} by kubectl certificate ${verb}.`;
  const condition = { type, status: "True", reason, message };
  let csr = typed<CertificateSigningRequest>(object);
  for (let i = 0; ; i++) {
    const { conditions = [] } = csr.status ?? {};
    if (conditions.some((one) => one.type === other)) {
      const why = `certificate signing request "${name}" is already ${other}`;
      throw new CommandError(why);
    }
    const said = conditions.some((one) => one.type === type);
    if (said && !force) return;
    const all = said ? conditions : [...conditions, condition];
    const body = { ...csr, status: { ...csr.status, conditions: all } };
    try {
      await client.updateSub(kind, "", name, "approval", body);
      return;
    } catch (error) {
      if (!isConflict(error) || i >= RETRIES_MAX) throw error;
      csr = typed(await client.get(kind, "", name));
    }
  }
}
