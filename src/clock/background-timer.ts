/** Calls `work` every `everyMs` milliseconds, and does not keep the process alive for it. @returns what ends it */
export function backgroundTimer(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
