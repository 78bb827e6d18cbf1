/**
 * The rail figure: time runs along, one column a beat, and every message is a
 * notch in the one joint of the cluster, the API server. Draws the beats
 * around the present one, so that nothing scrolls inside the page; on a narrow
 * screen the same drawing is turned, and time runs down.
 */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { type Lane, lanesThatAct, colourOf as partColour } from "./lanes.ts";
import type { Beat } from "./story.ts";

export interface RailProps {
  readonly beats: readonly Beat[];
  readonly lanes: readonly Lane[];
  /** Index into `beats` of the present one; -1 before the first. */
  readonly at: number;
  /** Length of the time axis, in px. */
  readonly length: number;
  readonly turned: boolean;
  /** Room across the time axis, in px. Lanes that do not fit in and rest are left out. */
  readonly across?: number;
  /** Says a beat in words, for the tooltip. */
  readonly say: (beat: Beat) => string;
}

/** The beat under a pointer event on the figure, if there is one. */
export function beatUnder(event: Event): number | undefined {
  const mark = (event.target as Element).closest<SVGElement>("[data-index]");
  return mark ? Number(mark.dataset.index) : undefined;
}

const COLUMN = 18;
const LANE = 26;
const RAIL = 12;

/** Two axes, so that the figure can be turned: along (time) and across (lanes). */
interface Axes {
  readonly turned: boolean;
  readonly labels: number;
  /** Prefix of the figure's own ids: a page has several figures. */
  readonly id: string;
}

export function Rail(props: RailProps): JSX.Element {
  const { beats, at, length, turned } = props;
  const id = useId();
  const axes: Axes = { turned, id, labels: labelsWidth(props.lanes, turned) };
  const room = Math.max(4, Math.floor((length - axes.labels - 8) / COLUMN));
  const first = windowStart(at, room, beats.length);
  const shown = beats.slice(first, first + room);
  const isTooMany = props.lanes.length * LANE > (props.across ?? Number.POSITIVE_INFINITY);
  const lanes = isTooMany ? lanesThatAct(props.lanes, shown) : props.lanes;
  const across = new Map(
    lanes.map((lane, i) => [lane.actor, i * LANE + LANE / 2 + (turned ? 4 : 8)]),
  );
  const breadth = lanes.length * LANE + (turned ? 8 : 34);
  const size = turned ? { width: breadth, height: length } : { width: length, height: breadth };
  return (
    <svg class="rail" viewBox={`0 0 ${size.width} ${size.height}`} {...size} aria-hidden="true">
      <defs>
        <marker
          id={`${id}-tip`}
          viewBox="0 0 6 6"
          refX="5"
          refY="3"
          markerWidth="6"
          markerHeight="6"
          orient="auto"
        >
          <path d="M0 0 6 3 0 6z" fill="context-stroke" />
        </marker>
        <pattern
          id={`${id}-hatch`}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path d="M0 0V5" stroke="var(--error)" stroke-width="2" />
        </pattern>
      </defs>
      {lanes.map((lane) => (
        <LaneLine
          key={lane.actor}
          lane={lane}
          across={across.get(lane.actor)!}
          end={length}
          axes={axes}
        />
      ))}
      {shown.map((beat, i) => {
        const index = first + i;
        const along = axes.labels + i * COLUMN + COLUMN / 2;
        return (
          <g
            key={beat.id}
            class={`beat ${index === at ? "now" : index > at ? "later" : ""}`}
            data-index={index}
          >
            <title>{props.say(beat)}</title>
            <rect {...box(axes, along - COLUMN / 2, 0, COLUMN, breadth)} class="hit" />
            <BeatMark beat={beat} along={along} across={across} axes={axes} />
          </g>
        );
      })}
      {!turned && <TimeMarks beats={shown} y={breadth - 8} axes={axes} />}
    </svg>
  );
}

/** Keeps the present beat two thirds of the way along the window. */
export function windowStart(at: number, room: number, count: number): number {
  const wanted = at - Math.floor((room * 2) / 3);
  return Math.max(0, Math.min(wanted, count - room));
}

function nameOf({ label, node }: Lane): string {
  return node ? `${label} ${node}` : label;
}

/** Room for the longest name, in px: most figures need the same. */
function labelsWidth(lanes: readonly Lane[], turned: boolean): number {
  const names = lanes.map(nameOf).map((name) => (turned ? short(name) : name));
  const longest = Math.max(...names.map(({ length }) => length));
  return Math.max(turned ? 92 : 168, Math.ceil(longest * 6.5) + 14);
}

function LaneLine(props: { lane: Lane; across: number; end: number; axes: Axes }): JSX.Element {
  const { lane, across, end, axes } = props;
  const colour = `var(--${lane.colour})`;
  const text = nameOf(lane);
  return (
    <g class={`lane ${lane.side}`}>
      {lane.side === "rail" ? (
        <rect
          {...box(axes, axes.labels - 4, across - RAIL / 2, end - axes.labels, RAIL)}
          fill={colour}
          class="bar"
        />
      ) : (
        <path
          d={line(axes, axes.labels - 4, across, end - 4, across)}
          stroke={colour}
          class="thread"
        />
      )}
      {axes.turned ? (
        <text
          x={across}
          y={axes.labels - 10}
          fill={colour}
          transform={`rotate(-90 ${across} ${axes.labels - 10})`}
          class="name"
          dy="4"
        >
          {short(text)}
        </text>
      ) : (
        <text x={axes.labels - 12} y={across} fill={colour} text-anchor="end" dy="4" class="name">
          {text}
        </text>
      )}
    </g>
  );
}

/** Lane names on a narrow screen. */
function short(text: string): string {
  return text.replace("kube-", "").replace("-controller", "").replace("manager", "mgr");
}

interface MarkProps {
  readonly beat: Beat;
  readonly along: number;
  readonly across: ReadonlyMap<string, number>;
  readonly axes: Axes;
}

function BeatMark({ beat, along, across, axes }: MarkProps): JSX.Element {
  const from = across.get(beat.from) ?? 0;
  const to = across.get(beat.to) ?? from;
  const bad = beat.kind === "error" || (beat.code !== undefined && beat.code >= 400);
  const colour = bad ? "var(--error)" : `var(--${partOf(beat)})`;
  if (from === to) return <Deed beat={beat} colour={colour} along={along} at={from} axes={axes} />;
  const down = to > from;
  const start = from + (down ? 4 : -4);
  const reach = beat.kind === "request" ? RAIL / 2 : 5;
  const end = to - (down ? reach : -reach);
  return (
    <>
      <path
        d={line(axes, along, start, along, end)}
        stroke={colour}
        class={`arrow ${beat.kind}`}
        marker-end={`url(#${axes.id}-tip)`}
      />
      <Dot axes={axes} along={along} across={from} colour={colour} />
      {beat.kind === "request" && <Notch beat={beat} along={along} at={to} bad={bad} axes={axes} />}
      {beat.kind === "watch" && (
        <rect {...box(axes, along - 3, from - RAIL / 2, 6, RAIL)} class="notch" />
      )}
    </>
  );
}

function Dot(props: { axes: Axes; along: number; across: number; colour: string }): JSX.Element {
  const [x, y] = point(props.axes, props.along, props.across);
  return <circle cx={x} cy={y} r="3.5" fill={props.colour} />;
}

/** The cut in the rail: full for created, half for changed, crossed for deleted or refused. */
function Notch(props: {
  beat: Beat;
  along: number;
  at: number;
  bad: boolean;
  axes: Axes;
}): JSX.Element {
  const { beat, along, at, bad, axes } = props;
  const half = RAIL / 2;
  const cross = bad || beat.change === "DELETED";
  return (
    <>
      <rect {...box(axes, along - 5, at - half, 10, RAIL)} class="notch" />
      {beat.change === "ADDED" && (
        <rect {...box(axes, along - 3, at - 3, 6, 6)} fill="var(--api)" />
      )}
      {beat.change === "MODIFIED" && <rect {...box(axes, along - 3, at, 6, 3)} fill="var(--api)" />}
      {cross && (
        <path
          d={`${line(axes, along - 3, at - 3, along + 3, at + 3)} ${line(axes, along - 3, at + 3, along + 3, at - 3)}`}
          stroke={bad ? "var(--error)" : "var(--api)"}
          stroke-width="2"
        />
      )}
    </>
  );
}

/** Something that happens inside one part. */
function Deed(props: {
  beat: Beat;
  colour: string;
  along: number;
  at: number;
  axes: Axes;
}): JSX.Element {
  const { beat, colour, along, at, axes } = props;
  const [x, y] = point(axes, along, at);
  switch (beat.kind) {
    case "stage":
      return (
        <rect
          {...box(axes, along - 1.5, at - RAIL / 2 - 4, 3, RAIL + 8)}
          fill="var(--ink)"
          class="tick"
        />
      );
    case "input":
      return <circle cx={x} cy={y} r="6" class="input" />;
    case "fault":
    case "error":
      return (
        <rect
          x={x - 7}
          y={y - 7}
          width="14"
          height="14"
          fill={`url(#${axes.id}-hatch)`}
          stroke="var(--error)"
        />
      );
    default:
      return (
        <rect
          x={x - 6}
          y={y - 6}
          width="12"
          height="12"
          rx="2"
          fill="var(--paper)"
          stroke={colour}
          class="work"
        />
      );
  }
}

function TimeMarks(props: { beats: readonly Beat[]; y: number; axes: Axes }): JSX.Element {
  const marks: JSX.Element[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  props.beats.forEach((beat, i) => {
    const x = props.axes.labels + i * COLUMN + COLUMN / 2;
    if (x - lastX < 76) return;
    lastX = x;
    marks.push(
      <text key={beat.id} x={x} y={props.y} class="time" text-anchor="middle">
        {formatClock(beat.atMs)}
      </text>,
    );
  });
  return <g>{marks}</g>;
}

/** A moment by the cluster's clock, as the lessons tell it: 30.004 s. */
export function formatClock(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}

/** 0.4 ms … 99.9 ms, whole ms up to a second, then seconds. */
export function formatMs(ms: number): string {
  if (Math.abs(ms) < 100) return `${ms.toFixed(1)} ms`;
  return Math.abs(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function partOf(beat: Beat): string {
  return beat.kind === "watch" ? "api" : partColour(beat.from);
}

function point(axes: Axes, along: number, across: number): [number, number] {
  return axes.turned ? [across, along] : [along, across];
}

function line(axes: Axes, a1: number, c1: number, a2: number, c2: number): string {
  return `M${point(axes, a1, c1).join(" ")}L${point(axes, a2, c2).join(" ")}`;
}

function box(axes: Axes, along: number, across: number, length: number, breadth: number) {
  const [x, y] = point(axes, along, across);
  const [width, height] = axes.turned ? [breadth, length] : [length, breadth];
  return { x, y, width, height };
}
