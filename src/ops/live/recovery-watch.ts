/** Reports recoveries in the log, in `status` and by alert. Pauses a bot whose account disagrees with the venue. */
import { hasFindings, type RecoveryReport, recoveryText } from '../../runtime/index.ts';
import type { ShownRecovery } from '../control/bot-port.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';

/** Prefix of the pause reason after a disagreement. */
export const DISAGREEMENT_PREFIX = 'RECONCILE';

export interface RecoveryWatchDeps
  extends Pick<LiveBotDeps, 'clock' | 'log' | 'alert' | 'commandLine' | 'storeRecovery'> {
  readonly run: Pick<LiveBotDeps['run'], 'submit'>;
}

/** Shortest time between alerts about recoveries without findings, ms. A connection can break often. */
const UNEVENTFUL_INTERVAL_MS = 60_000;

export class RecoveryWatch {
  readonly #deps: RecoveryWatchDeps;
  last: ShownRecovery | undefined;
  #uneventfulAlertAt = Number.NEGATIVE_INFINITY;

  constructor(deps: RecoveryWatchDeps) {
    this.#deps = deps;
  }

  onRecovered(report: RecoveryReport): void {
    const { log } = this.#deps;
    const text = recoveryText(report);
    this.last = { ...report, text };
    this.#store(report);
    const fields = { recovery: report };
    if (report.outcome === 'disagrees') log.error(fields, text);
    else if (report.outcome === 'adjusted' || report.gap !== undefined) log.warn(fields, text);
    else log.info(fields, text);
    this.#alert(report, text);
    if (report.outcome === 'disagrees') this.#pause(report);
  }

  #store(report: RecoveryReport): void {
    try {
      this.#deps.storeRecovery?.(report);
    } catch (error) {
      // If the database cannot be written at all, the next step ends the run.
      this.#deps.log.error({ err: error }, 'the recovery could not be stored: `status` shows an earlier one');
    }
  }

  #alert(report: RecoveryReport, text: string): void {
    const { clock, alert, commandLine } = this.#deps;
    const { cause, outcome, ordersCompared, ordersEnded = 0, ordersNotAtVenue = 0, fillsFound, downMs, gap } = report;
    const fields = {
      cause,
      outcome,
      orders: ordersCompared,
      ordersEnded,
      ordersNotAtVenue,
      fills: fillsFound,
      ...(downMs === undefined ? {} : { down_ms: downMs }),
      ...(gap === undefined ? {} : { gap: 'files of the bot lack data' }),
    };
    if (outcome === 'disagrees') {
      const remedy = `Find out why; \`${commandLine('resume')}\` compares again`;
      alert('disagreement', `halfspread stopped quoting: ${text}. ${remedy}`, fields);
      return;
    }
    if (!hasFindings(report)) {
      if (cause === 'start' || clock.now() - this.#uneventfulAlertAt < UNEVENTFUL_INTERVAL_MS) return;
      this.#uneventfulAlertAt = clock.now();
    }
    alert('recovery', `halfspread ${text}`, fields);
  }

  #pause({ differences }: RecoveryReport): void {
    try {
      const reason = `${DISAGREEMENT_PREFIX}: ${differences.slice(0, 3).join('; ')}`;
      this.#deps.run.submit({ type: 'operatorCommanded', command: 'pause', reason });
    } catch (error) {
      const text = 'the bot could not be paused: nothing is sent as long as the account disagrees';
      this.#deps.log.error({ err: error }, text);
    }
  }
}
