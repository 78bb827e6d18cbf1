/**
 * kubectl create configmap, secret, namespace, serviceaccount, quota,
 * priorityclass, poddisruptionbudget.
 * Models:     kubectl/pkg/cmd/create @ v1.36
 */
import { toBase64 } from "../../api/base64.ts";
import {
  type LabelSelectorObject,
  parseLabelSelector,
} from "../../api/selector.ts";
import { type Args, flags } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";
import { type Generator, made, pairsOf, required } from "./generator.ts";

const DATA = "from-literal:value from-file:value from-env-file:value";

export const createConfigMap: Generator = {
  flags: flags(DATA),
  failure: "failed to create configmap: ",
  make(name, args, env) {
    const data = dataOf(args, env);
    const some = Object.keys(data).length > 0 ? { data } : {};
    return made("v1", "ConfigMap", name, some);
  },
};

export const createSecret: Generator = {
  flags: flags(`${DATA} type:value`),
  failure: "failed to create secret ",
  make(name, args, env) {
    const plain = Object.entries(dataOf(args, env));
    const data = Object.fromEntries(
      plain.map(([key, text]) => [key, toBase64(text)]),
    );
    const type = args.get("type");
    const fields = {
      ...(plain.length > 0 ? { data } : {}),
      ...(type ? { type } : {}),
    };
    return made("v1", "Secret", name, fields);
  },
};

function dataOf(args: Args, env: Environment): { [key: string]: string } {
  const data: { [key: string]: string } = {};
  const add = (key: string, value: string) => {
    if (data[key] !== undefined) {
      throw new CommandError(
        `cannot add key "${key}", another key by that name already exists in Data for ConfigMap`,
      );
    }
    data[key] = value;
  };
  for (const literal of args.all("from-literal")) {
    const [key = "", value] = literal.split(/=(.*)/s);
    if (value === undefined) {
      throw new CommandError(
        `invalid literal source ${literal}, expected key=value`,
      );
    }
    add(key, value.replace(/^(["'])(.*)\1$/s, "$2"));
  }
  for (const source of args.all("from-file")) {
    const [first = "", second] = source.split(/=(.*)/s);
    const path = second ?? first;
    add(
      second === undefined ? path.split("/").at(-1)! : first,
      read(path, env),
    );
  }
  for (const path of args.all("from-env-file")) {
    for (const line of read(path, env).split("\n")) {
      if (!/^\s*[^#\s]/.test(line)) continue;
      const [key = "", value = ""] = line.trim().split(/=(.*)/s);
      add(key, value);
    }
  }
  return data;
}

function read(path: string, { files }: Environment): string {
  const text = files[path];
  if (text !== undefined) return text;
  throw new CommandError(`error reading ${path}: no such file or directory`);
}

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
    const selector = selectorObject(required(args, "selector"));
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
