/**
 * Fails a test file that leaves a server, socket, child process or timer open. Files of the fast project share a
 * process, in which a bot that is left running would disturb later files.
 */
import process from 'node:process';

/** Kinds of `process.getActiveResourcesInfo()`, which lists the resources that keep the process alive. */
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
/** Time for resources to close, and for timers of the test runner to end. */
const TIMEOUT_MS = 5_000;
const POLL_MS = 20;

export class OpenResources {
  #before: ReadonlyMap<string, number> = new Map();

  /** Called before the file's first hook. */
  begin(): void {
    this.#before = counts();
  }

  /** Called after the file's last hook. @throws Error that lists the open resources */
  async expectNothing(): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const added = this.#added();
      if (added.length === 0) return;
      if (performance.now() > deadline) {
        throw new Error(
          `this file left open: ${added.join(', ')}. Close it with afterThisTest or afterThisFile of test/cleanup.ts`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  #added(): readonly string[] {
    const now = counts();
    return [...now].flatMap(([kind, count]) => {
      const added = count - (this.#before.get(kind) ?? 0);
      return added > 0 ? [`${added} ${kind}`] : [];
    });
  }
}

function counts(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const active = process.getActiveResourcesInfo();
  for (const kind of KINDS) found.set(kind, active.filter((name) => name === kind).length);
  return found;
}
