/**
 * Which containers of a Pod are meant: one by name, all, or the default one.
 * Models:     kubectl/pkg/polymorphichelpers/logsforobject.go,
 *             kubectl/pkg/cmd/util/podcmd/podcmd.go @ v1.36
 */
import type { Pod } from "../../api/kinds/pod.ts";
import type { Args } from "../args.ts";
import { CommandError, type Environment } from "../environment.ts";

const PRESET = "kubectl.kubernetes.io/default-container";

export function containersOf(pod: Pod, args: Args, env: Environment): string[] {
  const { init, names, debug } = containerNames(pod);
  const all = [...init, ...names, ...debug];
  if (args.on("all-containers")) return all;
  const asked = args.get("container") ?? args.words[1];
  if (asked !== undefined) {
    if (all.includes(asked)) return [asked];
    throw new CommandError(
      `container ${asked} is not valid for pod ${pod.metadata.name}`,
    );
  }
  const preset = pod.metadata.annotations?.[PRESET];
  if (preset && all.includes(preset)) return [preset];
  if (preset)
    env.err(
      `Default container name "${preset}" not found in pod ${pod.metadata.name}`,
    );
  if (all.length > 1 && !args.on("all-pods"))
    env.err(`Defaulted container "${names[0]}" out of: ${namesText(pod)}`);
  return [names[0]!];
}

/** `app, proxy (init)`: how messages list a Pod's containers. */
export function namesText(pod: Pod): string {
  const { init, names, debug } = containerNames(pod);
  return [
    ...names,
    ...debug.map((name) => `${name} (ephem)`),
    ...init.map((name) => `${name} (init)`),
  ].join(", ");
}

function containerNames({ spec }: Pod) {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const namesOf = (list: readonly { readonly name: string }[]) =>
    list.map(({ name }) => name);
  return {
    init: namesOf(initContainers),
    names: namesOf(containers),
    debug: namesOf(ephemeralContainers),
  };
}
