/** Measures the venue's clock, which `/time` shows rounded **down** to seconds. */
import type { Clock } from '../../clock/index.ts';
import { ReportLimiters } from '../../network/index.ts';
import { ClockOffset, type Log } from '../base/index.ts';
import type { ClobReader } from './clob-reader.ts';

/** Largest error of the middle of a second as an estimate of a time within it. */
const HALF_SECOND_MS = 500;
const REPORT_MS = 60_000;

export interface VenueClockDeps {
  readonly clob: Pick<ClobReader, 'time'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
}

export class VenueClock {
  readonly offset = new ClockOffset();
  readonly #deps: VenueClockDeps;
  readonly #reports = new ReportLimiters(REPORT_MS);

  constructor(deps: VenueClockDeps) {
    this.#deps = deps;
  }

  /** Never rejects. */
  async measure(): Promise<void> {
    const { clob, clock, log } = this.#deps;
    const sent = clock.now();
    try {
      const middle = (await clob.time()) * 1_000 + HALF_SECOND_MS;
      // Widens the round trip by half a second on each side, the error of the middle.
      this.offset.sample(sent - HALF_SECOND_MS, clock.now() + HALF_SECOND_MS, middle);
    } catch (error) {
      const suppressed = this.#reports.count('time', clock.now());
      if (suppressed !== undefined)
        log.warn({ err: error, suppressed }, "polymarket: the venue's clock cannot be measured");
    }
  }
}
