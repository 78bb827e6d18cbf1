/**
 * Programs of a machine that listen on its addresses, and answer HTTP: an
 * agent's health server is one. Containers have their own way (see `cri/`).
 * Leaves out: binding to one address; bodies of requests.
 */
export interface HttpAnswer {
  readonly status: 200 | 404 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Listener {
  /** Whose it is: `kube-proxy/node-1`. */
  readonly actor: string;
  /** `path` begins with a slash. */
  readonly get: (path: string) => HttpAnswer;
}

/** By TCP port. */
export type Listeners = Map<number, Listener>;

const REASON = { 200: "OK", 404: "Not Found", 503: "Service Unavailable" };

/** `503 Service Unavailable` */
export function statusLine({ status }: HttpAnswer): string {
  return `${status} ${REASON[status]}`;
}

/** As Go's http.NotFound. */
export const NOT_FOUND: HttpAnswer = {
  status: 404,
  headers: { "Content-Type": "text/plain; charset=utf-8" },
  body: "404 page not found\n",
};
