/**
 * kubectl's end of its connection: warnings that answers bring are printed,
 * each once a command.
 * Models: client-go/rest/warnings.go, as kubectl sets it up @ v1.36
 */
import type { ApiResponse, Transport } from "../api/transport.ts";
import type { Environment } from "./environment.ts";

export function connected(env: Environment): Environment {
  const { client } = env;
  const { transport } = client;
  const told = new Set<string>();
  const heard = <T extends object>(answer: T): T => {
    const { warnings = [] } = answer as Partial<ApiResponse>;
    for (const warning of warnings) {
      if (!told.has(warning)) env.err(`Warning: ${warning}`);
      told.add(warning);
    }
    return answer;
  };
  const listening: Transport = {
    request: (request) => transport.request(request).then(heard),
    watch: (request, handler) => transport.watch(request, handler).then(heard),
  };
  return { ...env, client: client.over(listening) };
}
