/**
 * A watch over HTTP: one JSON event a line, sent as it happens.
 * Models: apiserver/pkg/endpoints/handlers/watch.go @ v1.36
 */
import type { Kind } from "../../api/kinds/definition.ts";
import type { WatchHandle, WatchHandler } from "../../api/transport.ts";
import type { JsonObject, Status, WatchEvent } from "../../api/types.ts";
import { type Form, typeFirst } from "./encode.ts";
import { partialOf, tableOf } from "./table.ts";

/** The open stream of one watch. */
export class WatchResponse implements WatchHandler {
  readonly response: Response;
  /** Set once the server accepted the watch. */
  handle: WatchHandle | null = null;
  private readonly form: Form;
  private readonly kind: Kind;
  private readonly now: () => number;
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  private headers = true;
  private ended = false;

  constructor(form: Form, kind: Kind, now: () => number) {
    this.form = form;
    this.kind = kind;
    this.now = now;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.controller = controller;
      },
      cancel: () => {
        this.ended = true;
        this.handle?.stop();
      },
    });
    const headers = { "Content-Type": form.type };
    this.response = new Response(body, { headers });
  }

  onEvent({ type, object }: WatchEvent): void {
    this.line({ type, object: this.shown(type, object) });
  }

  onEnd(error?: Status): void {
    if (error) this.line({ type: "ERROR", object: error });
    if (this.ended) return;
    this.ended = true;
    this.controller?.close();
  }

  private shown(type: string, object: WatchEvent["object"]): JsonObject {
    const { as, includeObject } = this.form;
    const bookmark = type === "BOOKMARK";
    const whole = bookmark ? tidy(object) : object;
    if (as && as !== "Table") return partialOf(whole);
    if (bookmark || !as) return typeFirst(whole);
    const { headers, kind } = this;
    this.headers = false;
    const now = this.now();
    return tableOf(object, { kind, now, includeObject, headers });
  }

  private line(event: object): void {
    if (this.ended) return;
    const text = `${JSON.stringify(event)}\n`;
    this.controller?.enqueue(new TextEncoder().encode(text));
  }
}

/** A bookmark has no name to show. */
function tidy(object: WatchEvent["object"]): WatchEvent["object"] {
  const { name: _, ...metadata } = object.metadata;
  return { ...object, metadata } as WatchEvent["object"];
}
