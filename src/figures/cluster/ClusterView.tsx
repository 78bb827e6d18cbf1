/**
 * The cluster at one moment: what is wanted above the rail, what exists below
 * it. A Pod's phase is a shape first and a colour second. Everything is drawn
 * from object summaries, so any moment of a run can be shown.
 */
import type { ObjectSummary } from "@shikumi/sim";
import type { ComponentChildren, JSX } from "preact";
import { podShape, type Shape, shapePath } from "./shapes.ts";

export interface ClusterTexts {
  readonly wanted: string;
  readonly noNode: string;
  readonly empty: string;
  readonly cordoned: string;
  readonly notReady: string;
  readonly pods: (count: number) => string;
  readonly counts: (ready: number, wanted: number) => string;
  /** The same for a Job, whose Pods are to succeed. */
  readonly succeeded?: (done: number, wanted: number) => string;
}

export interface ClusterViewProps {
  readonly objects: ReadonlyMap<string, ObjectSummary>;
  readonly texts: ClusterTexts;
  /** `objectId` of the object that the present beat touched. */
  readonly touched?: string;
  readonly onSelect?: (id: string) => void;
}

export function ClusterView({ objects, texts, touched, onSelect }: ClusterViewProps): JSX.Element {
  const all = [...objects].map(([id, object]) => ({ id, object }));
  const nodes = all.filter(({ object }) => object.kind === "Node").sort(byName);
  const pods = all.filter(({ object }) => object.kind === "Pod").sort(byName);
  const workloads = all.filter(({ object }) => object.counts !== undefined);
  const waiting = pods.filter(({ object }) => !object.node);
  const pod = (item: Item) => (
    <PodMark key={item.id} item={item} touched={touched === item.id} onSelect={onSelect} />
  );
  return (
    <div class="cluster">
      <Wanted workloads={workloads} texts={texts} touched={touched} onSelect={onSelect} />
      <div class="cluster-rail" aria-hidden="true">
        <span>kube-apiserver</span>
      </div>
      {waiting.length > 0 && (
        <section class="cluster-waiting">
          <h4>{texts.noNode}</h4>
          <ul class="cluster-pods">{waiting.map(pod)}</ul>
        </section>
      )}
      <ul class="cluster-nodes">
        {nodes.map(({ id, object }) => {
          const own = pods.filter((item) => item.object.node === object.name);
          return (
            <li
              key={id}
              class={`cluster-node ${object.ready ? "" : "down"} ${touched === id ? "touched" : ""}`}
            >
              <h4>
                {object.name}
                {!object.ready && <span class="flag bad">{texts.notReady}</span>}
                {object.unschedulable && <span class="flag">{texts.cordoned}</span>}
                <span class="count">{texts.pods(own.length)}</span>
              </h4>
              <ul class="cluster-pods">{own.map(pod)}</ul>
            </li>
          );
        })}
      </ul>
      {nodes.length === 0 && <p class="cluster-empty">{texts.empty}</p>}
    </div>
  );
}

interface Item {
  readonly id: string;
  readonly object: ObjectSummary;
}

interface WantedProps {
  readonly workloads: readonly Item[];
  readonly texts: ClusterTexts;
  readonly touched?: string;
  readonly onSelect?: (id: string) => void;
}

/** Owners first, what they own beside them: Deployment → ReplicaSet. */
function Wanted({ workloads, texts, touched, onSelect }: WantedProps): JSX.Element {
  const roots = workloads.filter(({ object }) => !object.owner).sort(byName);
  return (
    <section class="cluster-wanted" aria-label={texts.wanted}>
      {roots.map((root) => {
        const owned = workloads
          .filter(
            ({ object }) =>
              object.owner === `${root.object.kind} ${root.object.name}` &&
              object.namespace === root.object.namespace,
          )
          .sort(byName);
        return (
          <div class="cluster-tree" key={root.id}>
            {[root, ...owned].map((item) => (
              <Press
                key={item.id}
                className={`cluster-card ${touched === item.id ? "touched" : ""}`}
                onPress={onSelect && (() => onSelect(item.id))}
              >
                <span class="kind">{item.object.kind}</span>
                <span class="name">{item.object.name}</span>
                <Counts object={item.object} texts={texts} />
              </Press>
            ))}
          </div>
        );
      })}
    </section>
  );
}

/** Wanted Pods as slots, ready ones filled. */
function Counts({ object, texts }: { object: ObjectSummary; texts: ClusterTexts }): JSX.Element {
  const [wanted = 0, , , ready = 0] = object.counts ?? [];
  const say = (object.kind === "Job" && texts.succeeded) || texts.counts;
  const slots = Math.min(Math.max(wanted, ready), 12);
  return (
    <span class="counts">
      <span class="slots" aria-hidden="true">
        {Array.from({ length: slots }, (_, i) => (
          <i key={i} class={i < ready ? (i < wanted ? "full" : "extra") : ""} />
        ))}
      </span>
      {say(ready, wanted)}
    </span>
  );
}

interface PodMarkProps {
  readonly item: Item;
  readonly touched: boolean;
  readonly onSelect?: (id: string) => void;
}

function PodMark({ item, touched, onSelect }: PodMarkProps): JSX.Element {
  const { object, id } = item;
  const shape: Shape = podShape(object);
  const status =
    object.status === "Running" && !object.ready ? "Running (not ready)" : object.status;
  return (
    <li>
      <Press
        className={`cluster-pod ${shape} ${touched ? "touched" : ""}`}
        title={`${object.name}\n${status}${object.ip ? `\n${object.ip}` : ""}`}
        label={`Pod ${object.name}: ${status}`}
        onPress={onSelect && (() => onSelect(id))}
      >
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <path d="M10 2 17 6V14L10 18 3 14V6z" class="edge" />
          <path d={shapePath(shape)} class="fill" />
        </svg>
      </Press>
    </li>
  );
}

interface PressProps {
  readonly className: string;
  readonly title?: string;
  /** Says what is drawn, where there is no text. */
  readonly label?: string;
  /** Absent where there is nothing to open. */
  readonly onPress?: () => void;
  readonly children: ComponentChildren;
}

/** A button, or the same without its function. */
function Press({ className, title, label, onPress, children }: PressProps): JSX.Element {
  const looks = { class: className, title, "aria-label": label };
  if (!onPress)
    return (
      <span {...looks} role={label ? "img" : undefined}>
        {children}
      </span>
    );
  return (
    <button {...looks} type="button" onClick={onPress}>
      {children}
    </button>
  );
}

function byName(a: Item, b: Item): number {
  const left = `${a.object.namespace}/${a.object.name}`;
  const right = `${b.object.namespace}/${b.object.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}
