/**
 * `--for=jsonpath={.status.phase}=Running`: a field that is waited for.
 * Models:     kubectl/pkg/cmd/wait/{wait,json}.go @ v1.36
 */
import { goValue } from "../../api/go-text.ts";
import type { Obj } from "../../api/kinds/definition.ts";
import { CommandError } from "../environment.ts";
import { finderOf, relaxed } from "../print/jsonpath.ts";

/** Of a value: that it is this one; else that the field is there. */
export function pathTest(text: string): (object: Obj | undefined) => boolean {
  const { path, value } = read(text);
  const find = finderOf(path);
  return (object) => {
    if (!object) return false;
    const found = find(object);
    const [first = []] = found;
    if (first.length === 0) return false;
    if (found.length > 1)
      throw new CommandError(
        "given jsonpath expression matches more than one list",
      );
    if (first.length > 1)
      throw new CommandError(
        "given jsonpath expression matches more than one value",
      );
    const [one] = first;
    if (value === undefined) return true;
    if (typeof one === "object" && one !== null)
      throw new CommandError(
        "jsonpath leads to a nested object or list which is not supported",
      );
    return goValue(one).trim() === value.trim();
  };
}

const FORMAT =
  "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 " +
  "or --for=jsonpath='{.status.readyReplicas}'";

function read(text: string): { path: string; value: string | undefined } {
  const [expression = "", given, ...more] = splitAtSigns(text);
  if (more.length > 0) throw new CommandError(FORMAT);
  const path = relaxed(expression);
  if (path === "")
    throw new CommandError("jsonpath expression cannot be empty");
  const value = given?.replace(/^['"]+|['"]+$/g, "");
  if (value === "")
    throw new CommandError(
      "jsonpath wait has to have a value after equal sign, like " +
        "--for=jsonpath='{.status.readyReplicas}'=3",
    );
  return { path, value };
}

/** At single signs; a double one compares inside the path. */
function splitAtSigns(text: string): string[] {
  return text
    .replaceAll("==", "\0")
    .split("=")
    .map((part) => part.replaceAll("\0", "=="));
}
