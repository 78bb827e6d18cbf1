/** kubectl top: no metrics server runs here, as in a new cluster. */
import { type Command, CommandError } from "./environment.ts";
import { unknownIn } from "./usage.ts";

const KINDS = /^(no|node|nodes|po|pod|pods)$/;

export const top: Command = async (argv) => {
  if (!KINDS.test(argv[0] ?? "")) throw unknownIn("top", argv);
  throw new CommandError("Metrics API not available");
};
