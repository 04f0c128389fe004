/** Progress bars on standard error with rate and remaining time. They appear only on a terminal. */
import { SingleBar } from 'cli-progress';
import { wallClock } from '../../clock/index.ts';
import type { TextOutput } from './terminal.ts';

export interface ProgressBar {
  /**
   * @param done completed part of `total`, in the bar's unit
   * @param perSecond rate. Default: the mean rate since the bar was created
   * @param note text after the bar
   */
  update(done: number, total: number, perSecond?: number, note?: string): void;
  stop(): void;
}

export function progressBar(label: string, unit: string, err: TextOutput): ProgressBar {
  if (!err.isTty) return { update() {}, stop() {} };
  const bar = new SingleBar({
    stream: err.stream,
    format: `${label} {bar} {percentage} % | {value}/{total} ${unit} | {rate} ${unit}/s | {left} left{note}`,
    clearOnComplete: true,
    hideCursor: true,
    etaBuffer: 20,
  });
  const clock = wallClock();
  const start = clock.now();
  let isStarted = false;
  return {
    update(done, total, rate = perSecond(done, clock.now() - start), note) {
      const values = {
        rate: rate.toLocaleString('en-US', { maximumFractionDigits: rate < 10 ? 1 : 0 }),
        left: rate > 0 ? durationText((total - done) / rate) : '?',
        note: note === undefined ? '' : ` | ${note}`,
      };
      if (!isStarted) bar.start(total, done, values);
      else bar.update(done, values);
      isStarted = true;
    },
    stop() {
      if (isStarted) bar.stop();
      isStarted = false;
    },
  };
}

export function perSecond(done: number, wallMs: number): number {
  return wallMs > 0 ? (done * 1_000) / wallMs : 0;
}

/** Shows a bar while `work` runs. @param work gets the bar's `update` */
export async function withProgressBar<T>(
  label: string,
  unit: string,
  err: TextOutput,
  work: (update: ProgressBar['update']) => T | Promise<T>,
): Promise<T> {
  const bar = progressBar(label, unit, err);
  try {
    return await work((...progress) => bar.update(...progress));
  } finally {
    bar.stop();
  }
}

/**
 * Shows a bar from 0 to 100 % while `work` runs. Rounds **down** to whole percents.
 * @param work gets a function that takes the completed share, 0..1
 */
export function withPercentProgress<T>(
  label: string,
  err: TextOutput,
  work: (onProgress: (share: number) => void) => T | Promise<T>,
): Promise<T> {
  return withProgressBar(label, '%', err, (update) => work((share) => update(Math.floor(share * 100), 100)));
}

/** Rounds up to whole seconds. */
function durationText(duration: number): string {
  const seconds = Math.ceil(duration);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
