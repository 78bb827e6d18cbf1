/**
 * kubectl create configmap, namespace, serviceaccount, quota,
 * priorityclass, poddisruptionbudget.
 * Models:     kubectl/pkg/cmd/create @ v1.36
 */
import {
  type LabelSelectorObject,
  parseLabelSelector,
} from "../../api/selector.ts";
import { flags } from "../args.ts";
import { CommandError } from "../environment.ts";
import { DATA, dataOf, forConfigMap } from "./data.ts";
import { type Generator, made, pairsOf } from "./generator.ts";

export const createConfigMap: Generator = {
  flags: flags(DATA),
  failure: "failed to create configmap: ",
  make(name, args, env) {
    const data = dataOf(args, env, forConfigMap(name));
    const some = Object.keys(data).length > 0 ? { data } : {};
    return made("v1", "ConfigMap", name, some);
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
    const hard = pairsOf(args, "hard");
    const scopes = args.list("scopes");
    const spec = {
      ...(Object.keys(hard).length > 0 ? { hard } : {}),
      ...(scopes.length > 0 ? { scopes } : {}),
    };
    return made("v1", "ResourceQuota", name, { spec, status: {} });
  },
};

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

/** `app=web` as an object: equalities alone. */
function selectorObject(text: string): LabelSelectorObject {
  parseLabelSelector(text); // Throws if it is none.
  const pairs = text.split(",").map((term) => term.split(/==?/));
  return {
    matchLabels: Object.fromEntries(
      pairs.map(([key = "", value = ""]) => [key.trim(), value.trim()]),
    ),
  };
}
