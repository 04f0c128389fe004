/** Renders pages of studies on a thread: a large study must not block the dashboard's streams. */
import { Piscina } from 'piscina';
import { Fault, thrownText } from '../domain/index.ts';
import type { StudyPageAnswer } from './study-page-thread.ts';

const ENTRY = import.meta.url.endsWith('.ts') ? './study-page-thread.ts' : './study-page-thread.js';
/** Maximum of pages that wait for the thread. */
const MAX_WAITING = 8;
const HEAP_MB = 1_024;
/** The thread ends when it is idle for this long. */
const IDLE_MS = 60_000;

export class StudyPages {
  readonly #pool = new Piscina<string, StudyPageAnswer>({
    filename: new URL(ENTRY, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });

  /** Returns HTML without external resources. @throws Fault for a file that cannot be shown, or while too many pages wait */
  async render(file: string): Promise<string> {
    let answer: StudyPageAnswer;
    try {
      answer = await this.#pool.run(file);
    } catch (cause) {
      throw new Fault('FILE', `the page of the study could not be rendered: ${thrownText(cause)}. Try again`, {
        cause,
      });
    }
    if ('page' in answer) return answer.page;
    throw new Fault('FILE', answer.problem);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
