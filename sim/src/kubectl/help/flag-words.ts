/**
 * What each flag does, a line a flag. The names are upstream's, the words
 * are not.
 * Longer because: it is a table, a flag a line.
 */

const WORDS = `
accept-hosts=Hosts that may ask, as a regular expression.
accept-paths=Paths that may be asked for, as a regular expression.
address=Addresses to listen at.
aggregation-rule=Labels of the ClusterRoles whose rules are joined.
all-containers=Shows the logs of all containers of the Pod.
all-namespaces=Works in every Namespace; --namespace is ignored.
all-pods=Shows the logs of all Pods; each line gets its source in front.
all=Means all objects of the kind in the Namespace.
allow-missing-template-keys=Ignores what a template names and an object lacks. Templates and JSONPath only.
annotation=An annotation of the Ingress, as name=value.
annotations=Annotations of the Pod, as name=value.
api-group=Only resources of this API group.
api-prefix=What stands before paths of the API.
api-version=Describes this version of the API (group/version).
append-hash=Puts a hash of the content at the end of the name.
append-server-path=Puts the server's own path before each path.
arguments-only=What stands after -- is given as args, not as command.
attach=Waits for the container and joins it. By default only with -i.
audience=Who is meant to accept the token. May be given several times.
bound-object-kind=Kind of an object that the token depends on: Node, Pod or Secret.
bound-object-name=Name of that object: the token is worth nothing once it is gone.
bound-object-uid=UID of that object; by default that of the one that is there.
cached=Asks discovery's cache, where there is one.
cascade=What becomes of dependents: "background", "foreground" or "orphan".
categories=Only resources of these categories.
cert=File with the certificate, in PEM.
certificate-authority=File with the certificate of the authority.
chunk-size=How many objects one answer holds; 0 means all.
class=The class of the Ingress.
client-certificate=File with the client's certificate.
client-key=File with the client's key.
client=Tells the version of the client only.
cluster-ip=The Service's address: empty for a free one, None for a headless Service.
cluster=The cluster of the context.
clusterip=The Service's address: empty for a free one, None for a headless Service.
clusterrole=The ClusterRole that is bound.
command=What stands after -- is given as command, not as args.
concurrency=How many objects are compared at once.
container=The container that is meant.
containers=Containers whose template is changed; * stands for any letters.
copy-to=Makes a copy of the Pod, with this name.
cpu=Goal for the processors: a share as 70%, or an amount as 500m.
create-annotation=Writes the annotation also where there is none yet.
current-replicas=Scales only if there are so many now; -1 means any number.
current=Changes the context in use.
custom=File with a part of a container's spec that is merged into it.
default-backend=Where all else goes, as service:port.
delete-emptydir-data=Goes on although Pods use emptyDir, whose content is lost.
description=Words about the class.
disable-eviction=Deletes Pods without asking their budgets.
disable-filter=Lets everything through. Not safe.
docker-email=E-mail address for the registry.
docker-password=Password for the registry.
docker-server=Address of the registry.
docker-username=Name of the user of the registry.
dry-run="client" only shows what would be sent; "server" sends it, and nothing is stored.
duration=How long the token is wanted to live; the server may change it.
embed-certs=Keeps the files themselves in the kubeconfig.
env=Variables for the container, as NAME=value.
exec-api-version=API version of the command that gives credentials.
exec-arg=An argument of that command.
exec-command=A command that gives credentials.
exec-env=A variable for that command, as name=value.
expose=Makes a Service for the Pod too.
external-ip=An address from outside that the Service takes besides.
external-name=The name that the Service stands for.
field-manager=The name under which changes of fields are remembered.
field-selector=Chooses by fields: =, == and !=, parted by commas.
filename=Files that name the objects; - is standard input.
flatten=Keeps files themselves in what is shown.
follow=Goes on as long as the container prints.
for=What is waited for: create, delete, condition=NAME[=VALUE] or jsonpath={PATH}[=VALUE].
force-conflicts=Takes fields over that others manage.
force=Does it at once or against objections; what is running may go on for a while.
from-env-file=File with lines of NAME=value, a key each.
from-file=File that becomes a key; its name may stand in front, as key=file.
from-literal=A key and its value, as key=value.
from=The object that this is made from.
global-default=Pods without a class get this one.
grace-period=Seconds to end in; a negative number means the object's own.
group=Groups that are bound.
hard=Limits of the quota, as resource=amount, parted by commas.
ignore-daemonsets=Leaves Pods of DaemonSets where they are.
ignore-errors=Tells what cannot be read, and goes on.
ignore-not-found=It is no error if the object is not there.
image-pull-policy=When the image is pulled; empty leaves it to the server.
image=The image of the container.
insecure-skip-tls-verify-backend=Trusts any certificate of the kubelet.
insecure-skip-tls-verify=Trusts any certificate of the server.
interactive=Asks before anything is deleted.
keep-annotations=The copy keeps the annotations.
keep-init-containers=The copy keeps the init containers.
keep-labels=The copy keeps the labels.
keep-liveness=The copy keeps liveness probes.
keep-readiness=The copy keeps readiness probes.
keep-startup=The copy keeps startup probes.
keepalive=How long connections stay open; 0 means no end.
key=File with the key, in PEM.
keys=Only these keys, parted by commas.
label-columns=A column more for each of these labels.
labels=Labels of the new object, as name=value, parted by commas.
leave-stdin-open=Standard input stays open after the first client has left.
limit-bytes=Shows no more than so many bytes.
limits=What a container may use at most, as cpu=1,memory=1Gi.
list=Shows what is there, and changes nothing.
load-balancer-ip=The address wanted from the load balancer.
local=Works on files alone; the server is not asked.
max-log-requests=How many logs are followed at once at most.
max-unavailable=How many Pods may be missing, as a number or a share.
max=The most replicas. Needed.
memory=Goal for the memory: a share as 60%, or an amount as 200Mi.
merge=Shows all kubeconfig files as one.
min-available=How many Pods have to be there, as a number or a share.
min=The fewest replicas.
minify=Only what belongs to the context in use.
name=The name of the new object.
namespace=The Namespace of the context.
namespaced=Only resources that lie in a Namespace; false: only the others.
namespaces=Namespaces that are shown, parted by commas.
no-headers=Leaves the header away.
no-preserve=Leaves owner and mode of files behind.
node-port=The port on each Node.
non-resource-url=Paths of the server that the rule is about.
now=Gives objects one second to end in.
openapi-patch=Reckons the change by the server's schema, where it has one.
output-directory=Folder for what is shown; empty means the terminal.
output-watch-events=Tells what happened to each object that a watch shows.
output=How objects are printed: json, yaml, name, a template, columns …
override-type=How --overrides is merged: json, merge or strategic.
overrides=A patch in JSON for the new object.
overwrite=Values that are there may be replaced.
password=The user's password.
patch-file=File with the patch.
patch=The patch, in JSON or YAML.
pod-running-timeout=How long a Pod is waited for until one runs.
pod-selector=Only Pods that these labels choose.
port=The port.
preemption-policy=Whether Pods of the class may push others away.
prefix=What stands before names, or before each line.
previous=Shows the log of the container before this one.
privileged=The container may do all that its Node may.
profile=Rights of the container: legacy, general, baseline, netadmin, restricted or sysadmin.
protocol=The protocol of the port.
proxy-url=The proxy on the way to the cluster.
prune-allowlist=Kinds that are pruned, as group/version/kind.
prune=Deletes what was applied before and is not in the files any more.
quiet=Says less.
raw=A path of the server, or what is hidden otherwise.
recursive=Goes deeper: into folders, or into fields.
reject-methods=Methods that may not be used, as a regular expression.
reject-paths=Paths that may not be asked for, as a regular expression.
remove-extra-permissions=Takes rules away that the file does not have.
remove-extra-subjects=Takes subjects away that the file does not have.
replace=Deletes the Pod that was copied.
replicas=How many replicas there shall be.
requests=What a container asks for, as cpu=1,memory=1Gi.
resolve=Shows the values that references lead to.
resource-name=Names that the rule is about.
resource-version=Does it only if the object still has this version.
resource=Resources that the rule is about.
restart=When containers start again: Always, OnFailure or Never.
retries=How often copying is tried again; 0 means never.
revision=The revision that is meant.
rm=Deletes the Pod once it has ended.
role=The Role that is bound.
rule=A rule as host/path=service:port[,tls[=secret]].
same-node=The copy runs on the same Node.
save-config=Remembers what was sent, for a later apply.
schedule=When Jobs start, in the format of cron.
scopes=Which Pods count, parted by commas.
selector=Chooses by labels: =, ==, !=, in, notin.
server-print=Takes the server's table; false: only names and ages.
server-side=The server merges, not kubectl.
server=The address of the API server.
serviceaccount=ServiceAccounts that are bound, as namespace:name.
session-affinity=ClientIP keeps a client at one Pod.
set-image=New images for the copy, as container=image.
set-raw-bytes=Takes the value as it is, not as base64.
share-processes=Containers of the copy see each other's processes.
show-capacity=Measures against all that the Node has.
show-events=Shows events that belong to the object.
show-kind=Shows the kind before the name.
show-labels=Shows all labels in the last column.
show-managed-fields=Shows who manages which fields, in JSON and YAML.
show-swap=Shows the use of swap too.
since-time=Only lines after this time (RFC 3339).
since=Only lines of the last 5s, 2m or 3h.
skip-wait-for-delete-timeout=Does not wait for Pods that are being deleted for more seconds than these.
sort-by=Orders by this field, or by what else is named.
stdin=Keeps standard input open.
subresource=Works on the object's subresource: status, scale, resize.
sum=Adds a line with the sum.
tail=Shows so many lines from the end; -1 means all.
target-port=The port or its name in the container.
target=The container whose processes the new one sees.
tcp=Ports as port:targetPort.
template=A template, or the file that holds it.
timeout=How long it may take; zero means the command's own time.
timestamps=Each line begins with its time.
tls-server-name=The name that the server's certificate has to have.
to-revision=The revision to go back to; 0 means the one before.
token=The user's token.
tty=Gives the container a terminal.
type=The kind of patch, of Service or of Secret.
types=Only events of these types: Normal, Warning.
unix-socket=Socket to listen at.
use-protocol-buffers=Asks the metrics in protocol buffers.
user=Users that are bound, or the user of the context.
username=The name of the user.
validate="strict" refuses fields that are not known, "warn" tells them, "ignore" drops them.
value=The priority of the class.
verb=Verbs that the rule allows.
verbs=Only resources that have all of these verbs.
wait=Waits until it is done.
watch-only=Shows changes only, not what is there.
watch=Shows changes as they come.
www-prefix=What stands before paths of these files.
www=Folder of files that are served too.
`;

const KNOWN = new Map(
  WORDS.trim()
    .split("\n")
    .map((line) => {
      const [name = "", text = ""] = line.split(/=(.*)/s);
      return [name, text] as const;
    }),
);

export function flagWords(name: string): string {
  return KNOWN.get(name) ?? "";
}
