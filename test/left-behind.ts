/**
 * Fails a test file that leaves a server, socket, child process or timer open. Files of the fast project share a process: a
 * bot that one leaves behind trades on, and fails, while the others run.
 */
import process from 'node:process';

/** Kinds of `process.getActiveResourcesInfo()`. It lists what keeps the process alive. */
const KINDS = [
  'TCPServerWrap',
  'TCPSocketWrap',
  'PipeWrap',
  'ProcessWrap',
  'Timeout',
  'FSEventWrap',
  'StatWatcher',
  'Worker',
  'MessagePort',
];
/** What is closing needs a moment; a timer of the runner comes and goes. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 20;

export class LeftBehind {
  #before: ReadonlyMap<string, number> = new Map();

  /** Called before the file's first hook. */
  begin(): void {
    this.#before = counts();
  }

  /** Called after the file's last hook. @throws Error that says what is left */
  async expectNothing(): Promise<void> {
    const last = performance.now() + PATIENCE_MS;
    for (;;) {
      const more = this.#more();
      if (more.length === 0) return;
      if (performance.now() > last) {
        throw new Error(
          `this file left open: ${more.join(', ')}. Close it with afterThisTest or afterThisFile of test/cleanup.ts`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  #more(): readonly string[] {
    const now = counts();
    return [...now].flatMap(([kind, count]) => {
      const more = count - (this.#before.get(kind) ?? 0);
      return more > 0 ? [`${more} ${kind}`] : [];
    });
  }
}

function counts(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const active = process.getActiveResourcesInfo();
  for (const kind of KINDS) found.set(kind, active.filter((name) => name === kind).length);
  return found;
}
