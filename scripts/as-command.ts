/** Runs a script's work; what goes wrong is said in a sentence, without a stack, and exits 1. */
export function asCommand(work: () => void): void {
  try {
    work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
