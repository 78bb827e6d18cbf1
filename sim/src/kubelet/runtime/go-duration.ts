/** Durations as Go prints them: `1m30s`, `1.5s`, `853ms`, `0s`. */
export function goDuration(ms: number): string {
  const whole = Math.trunc(ms);
  if (whole === 0) return "0s";
  if (whole < 1000) return `${whole}ms`;
  const seconds = (whole % 60_000) / 1000;
  const minutes = Math.trunc(whole / 60_000) % 60;
  const hours = Math.trunc(whole / 3_600_000);
  const text = `${Number(seconds.toFixed(3))}s`;
  if (hours > 0) return `${hours}h${minutes}m${text}`;
  return minutes > 0 ? `${minutes}m${text}` : text;
}
