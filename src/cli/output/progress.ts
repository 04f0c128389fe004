/** A progress bar on standard error with rate and remaining time, if it is a terminal. */
import { SingleBar } from 'cli-progress';
import { wallClock } from '../../clock/index.ts';
import type { TextOutput } from './terminal.ts';

export interface ProgressBar {
  /**
   * @param done of `total`, in the bar's unit
   * @param perSecond default: since the bar was created
   * @param note shown after the bar
   */
  update(done: number, total: number, perSecond?: number, note?: string): void;
  stop(): void;
}

/** Does nothing unless standard error is a terminal. @param unit for example "rows" */
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
  let started = false;
  return {
    update(done, total, rate = perSecond(done, clock.now() - start), note) {
      const shown = {
        rate: rate.toLocaleString('en-US', { maximumFractionDigits: rate < 10 ? 1 : 0 }),
        left: rate > 0 ? seconds((total - done) / rate) : '?',
        note: note === undefined ? '' : ` | ${note}`,
      };
      if (!started) bar.start(total, done, shown);
      else bar.update(done, shown);
      started = true;
    },
    stop() {
      if (started) bar.stop();
      started = false;
    },
  };
}

/** @param wallMs elapsed time */
export function perSecond(done: number, wallMs: number): number {
  return wallMs > 0 ? (done * 1_000) / wallMs : 0;
}

/** A bar from 0 to 100 %. `update` accepts the completed share, 0..1. */
export function shareBar(label: string, err: TextOutput) {
  const bar = progressBar(label, '%', err);
  return { update: (share: number): void => bar.update(Math.round(share * 100), 100), stop: (): void => bar.stop() };
}

function seconds(value: number): string {
  return value < 60 ? `${Math.ceil(value)} s` : `${Math.floor(value / 60)} min ${Math.ceil(value % 60)} s`;
}
