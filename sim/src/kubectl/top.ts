/** kubectl top: no metrics server runs here, as in a new cluster. */
import { type Command, CommandError } from "./environment.ts";

export const top: Command = async () => {
  throw new CommandError("Metrics API not available");
};
