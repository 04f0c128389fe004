/** Publishes the status of a running study to the terminal, the dashboard and metrics. */
import { hostname } from 'node:os';
import process from 'node:process';
import { backgroundTimer, monotonic, wallClock } from '../clock/index.ts';
import { pathProblem, thrownText } from '../domain/index.ts';
import { CompletionRate, formatNumber, type StudyProgress, type StudySpec } from '../research/index.ts';
import { MAX_NOTICES, removeStudyStatus, type StudyStatus, writeStudyStatus } from './study-status.ts';

const PUBLISH_MS = 1_000;

export interface StudyWatchOptions {
  readonly threads: number;
  /** Returns the status of workers on other machines; undefined without other machines. */
  readonly remote: () => Pick<StudyStatus, 'threads' | 'remote'> | undefined;
  /** Called each second. */
  readonly show: (status: StudyStatus) => void;
  readonly notice: (text: string) => void;
}

export class StudyWatch {
  readonly #options: StudyWatchOptions;
  readonly #startedAt = wallClock().now();
  readonly #completionRate = new CompletionRate(monotonic());
  #progress: StudyProgress = { done: 0, total: 0, ran: 0, failed: 0, best: undefined };
  #objectives: StudySpec['objectives'] = [];
  #notices: StudyStatus['notices'] = [];
  #canWrite = true;
  #stop = (): void => {};

  constructor(options: StudyWatchOptions) {
    this.#options = options;
  }

  /** @param file path of the study's database */
  start({ file, spec: { objectives } }: { readonly file: string; readonly spec: StudySpec }): void {
    this.#objectives = objectives;
    const stopTimer = backgroundTimer(PUBLISH_MS, () => {
      const { status } = this;
      this.#options.show(status);
      this.#runSafely(() => writeStudyStatus(file, status));
    });
    this.#stop = () => {
      stopTimer();
      this.#runSafely(() => removeStudyStatus(file));
    };
  }

  onProgress(progress: StudyProgress): void {
    if (progress.ran > this.#progress.ran) this.#completionRate.add(monotonic());
    this.#progress = progress;
  }

  notice(text: string): void {
    this.#notices = [{ time: wallClock().now(), text }, ...this.#notices].slice(0, MAX_NOTICES);
    this.#options.notice(text);
  }

  stop(): void {
    this.#stop();
  }

  get status(): StudyStatus {
    const { done, total, failed, best } = this.#progress;
    const perSecond = this.#completionRate.perSecond(monotonic());
    return {
      host: hostname(),
      pid: process.pid,
      startedAt: this.#startedAt,
      writtenAt: wallClock().now(),
      done,
      total,
      failed,
      perSecond,
      leftMs: perSecond > 0 ? ((total - done) * 1_000) / perSecond : null,
      notices: this.#notices,
      best: best === undefined ? null : this.#bestText(best),
      ...(this.#options.remote() ?? { threads: this.#options.threads, remote: null }),
    };
  }

  /** Calls `work`. A failure becomes a notice, and does not stop the study. */
  #runSafely(work: () => void): void {
    try {
      work();
      this.#canWrite = true;
    } catch (error) {
      const problem = pathProblem(error) ?? thrownText(error);
      if (this.#canWrite) this.notice(`the dashboard cannot show the progress of the study: ${problem}`);
      this.#canWrite = false;
    }
  }

  #bestText({ number, objectives: [score = 0] }: NonNullable<StudyProgress['best']>): string {
    const isMinimised = this.#objectives[0]?.minimise !== undefined;
    return `best: trial ${number}, ${formatNumber(isMinimised ? -score : score)}`;
  }
}
