/**
 * kubectl apply --server-side: the whole manifest goes to the server.
 * Models:     kubectl/pkg/cmd/apply/apply.go @ v1.36
 * Leaves out: the move from client's to server's side.
 */
import { isConflict, type StatusError } from "../../api/status.ts";
import type { RequestOptions } from "../../api/transport.ts";
import type { KubeObject } from "../../api/types.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import type { Manifest } from "../manifests.ts";
import { fieldValidation, writeOptions } from "../print/done.ts";
import type { Told } from "./told.ts";

/** Options of a write, with the manager that apply has. */
export function optionsOf(args: Args, manager: string): RequestOptions {
  return {
    ...writeOptions(args, manager),
    fieldValidation: fieldValidation(args),
  };
}

export async function applyOnServer(
  { kind, object }: Manifest,
  args: Args,
  env: Environment,
  told: Told,
): Promise<KubeObject> {
  const { namespace = "", name } = object.metadata;
  const force = args.on("force-conflicts");
  const options = { ...optionsOf(args, "kubectl"), force };
  const type = "application/apply-patch+yaml";
  try {
    const { client } = env;
    const more = { options };
    const after = await client.patch(kind, namespace, name, type, object, more);
    told.tell(kind, after, "serverside-applied");
    return after;
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new CommandError(`${(error as StatusError).message}\n${CONFLICT}`);
  }
}

const CONFLICT = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;
