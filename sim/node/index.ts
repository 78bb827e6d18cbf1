/**
 * The entry `@shikumi/sim/node`: a session's API server over HTTP, for real
 * clients. What a page has no use for, and needs Node.
 */
export { type ServedSession, serveSession, writeKubeconfig } from "./serve.ts";
