/** The help of kubectl itself, and the flags that every command takes. */
import { type CommandText, columns, find, optionsText } from "./text.ts";

const GROUPS: { readonly [title: string]: string } = {
  "Basic Commands (Beginner)": "create expose run set",
  "Basic Commands (Intermediate)": "explain get edit delete",
  "Deploy Commands": "rollout scale autoscale",
  "Cluster Management Commands":
    "certificate cluster-info top cordon uncordon drain taint",
  "Troubleshooting and Debugging Commands":
    "describe logs attach exec port-forward proxy cp auth debug events",
  "Advanced Commands": "diff apply patch replace wait",
  "Settings Commands": "label annotate",
  "Other Commands": "api-resources api-versions config version",
};

/** Commands in the order in which upstream lists them. */
export const ORDER: readonly string[] = Object.values(GROUPS).flatMap((names) =>
  names.split(" "),
);

export function rootText(all: readonly CommandText[]): string {
  const groups = Object.entries(GROUPS).map(([title, names]) => {
    const lines = columns(
      names.split(" "),
      (name) => find(name, all)?.short ?? "",
    );
    return `${title}:\n${lines}`;
  });
  return [
    "kubectl is the command line of the cluster.",
    ...groups,
    "Usage:\n  kubectl [flags] [options]",
    'Use "kubectl <command> --help" for more information about a given command.\n' +
      'Use "kubectl options" for a list of global command-line options (applies to all commands).',
  ].join("\n\n");
}

/** What `kubectl options` lists: the flags of all commands. */
const GLOBAL =
  "as='' as-group=[] as-uid='' as-user-extra=[] cache-dir='' " +
  "certificate-authority='' client-certificate='' client-key='' cluster='' " +
  "context='' disable-compression=false insecure-skip-tls-verify=false " +
  "kubeconfig='' match-server-version=false n,namespace='' password='' " +
  "request-timeout='0' s,server='' tls-server-name='' token='' user='' " +
  "username='' v,v=0 vmodule= warnings-as-errors=false";

export function globalText(): string {
  return `The following options can be passed to any command:\n\n${optionsText(GLOBAL)}`;
}
