/**
 * kubectl create configmap, namespace, serviceaccount, quota,
 * priorityclass, poddisruptionbudget.
 * Models:     kubectl/pkg/cmd/create @ v1.36
 */
import { quote } from "../../api/go-text.ts";
import { parseQuantity } from "../../api/quantity.ts";
import {
  type LabelSelectorObject,
  parseLabelSelector,
} from "../../api/selector.ts";
import type { JsonObject } from "../../api/types.ts";
import { flags } from "../args.ts";
import { CommandError } from "../environment.ts";
import { DATA, dataOf, forConfigMap } from "./data.ts";
import { type Generator, made, pairsOf } from "./generator.ts";
import { hashed } from "./hash.ts";

export const createConfigMap: Generator = {
  flags: flags(`${DATA} append-hash`),
  failure: "failed to create configmap: ",
  make(name, args, env) {
    const data = dataOf(args, env, forConfigMap(name));
    const some = Object.keys(data).length > 0 ? { data } : {};
    const its = args.on("append-hash") ? hashed(name, "ConfigMap", data) : name;
    return made("v1", "ConfigMap", its, some);
  },
};

export const createNamespace: Generator = {
  flags: {},
  make: (name) => made("v1", "Namespace", name, { spec: {}, status: {} }),
};

export const createServiceAccount: Generator = {
  flags: {},
  failure: "failed to create serviceaccount: ",
  make: (name) => made("v1", "ServiceAccount", name, {}),
};

export const createQuota: Generator = {
  flags: flags("hard:value scopes:value"),
  failure: "failed to create quota: ",
  make(name, args) {
    const pairs = args.get("hard") ? args.list("hard") : [];
    const wrong = pairs.find((pair) => pair.split("=").length !== 2);
    if (wrong !== undefined)
      throw new CommandError(
        `Invalid argument syntax ${wrong}, expected <resource>=<value>`,
      );
    const hard = pairs.length > 0 ? pairsOf(args, "hard") : {};
    for (const amount of Object.values(hard)) refuseAmount(amount);
    const scopes = args.list("scopes");
    const spec = {
      ...(Object.keys(hard).length > 0 ? { hard } : {}),
      ...(scopes.length > 0 ? { scopes } : {}),
    };
    return made("v1", "ResourceQuota", name, { spec, status: {} });
  },
};

function refuseAmount(text: string): void {
  try {
    parseQuantity(text);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

export const createPriorityClass: Generator = {
  flags: flags(
    "value:value global-default description:value preemption-policy:value",
  ),
  failure: "failed to create priorityclass: ",
  make(name, args) {
    const description = args.get("description");
    return made("scheduling.k8s.io/v1", "PriorityClass", name, {
      value: args.int("value") ?? 0,
      preemptionPolicy: args.get("preemption-policy") ?? "PreemptLowerPriority",
      ...(args.on("global-default") ? { globalDefault: true } : {}),
      ...(description ? { description } : {}),
    });
  },
};

const NO_DISRUPTIONS = {
  currentHealthy: 0,
  desiredHealthy: 0,
  disruptionsAllowed: 0,
  expectedPods: 0,
};

export const createDisruptionBudget: Generator = {
  flags: flags("selector:value min-available:value max-unavailable:value"),
  failure: "failed to create poddisruptionbudgets: ",
  make(name, args) {
    const wanted = args.get("selector");
    if (!wanted) throw new CommandError("a selector must be specified");
    const selector = selectorObject(wanted);
    const number = (flag: string) => {
      const text = args.get(flag);
      return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
    };
    const minAvailable = number("min-available");
    const maxUnavailable = number("max-unavailable");
    if (minAvailable === undefined && maxUnavailable === undefined) {
      throw new CommandError(
        "one of min-available or max-unavailable must be specified",
      );
    }
    if (minAvailable !== undefined && maxUnavailable !== undefined)
      throw new CommandError(
        "min-available and max-unavailable cannot be both specified",
      );
    for (const flag of ["min-available", "max-unavailable"])
      if (!/^(\d+%?)?$/.test(args.get(flag) ?? ""))
        throw new CommandError(`invalid format specified for ${flag}`);
    const spec = {
      ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
      ...(minAvailable === undefined ? {} : { minAvailable }),
      selector: selector as never,
    };
    const fields = { spec, status: NO_DISRUPTIONS };
    return made("policy/v1", "PodDisruptionBudget", name, fields);
  },
};

/** `app=web,tier in (a,b)` as an object. */
function selectorObject(text: string): LabelSelectorObject {
  const matchLabels: { [key: string]: string } = {};
  const matchExpressions: JsonObject[] = [];
  for (const { key, operator, values } of parseLabelSelector(text)
    .requirements) {
    const named = OPERATORS[operator];
    if (named === undefined)
      throw new CommandError(
        `${quote(operator)} is not a valid label selector operator`,
      );
    const [value = ""] = values;
    if (named === "") matchLabels[key] = value;
    else
      matchExpressions.push({
        key,
        operator: named,
        ...(values.length > 0 ? { values: [...values].toSorted() } : {}),
      });
  }
  return {
    ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
    ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
  } as LabelSelectorObject;
}

/** Names in an object; "": by `matchLabels`. */
const OPERATORS: { readonly [operator: string]: string } = {
  "=": "",
  "==": "",
  in: "In",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};
