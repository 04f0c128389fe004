/** Tells people what recoveries found and did: in the log, in the status, to webhooks. Pauses a bot whose account disagrees. */
import type { Clock } from '../../clock/index.ts';
import { isEventful, type RecoveryReport, recoveryText } from '../../runtime/index.ts';
import type { ShownRecovery } from '../control/bot-port.ts';
import type { Log } from '../ports.ts';

/** Begins the reason of a pause that a disagreement made. */
export const DISAGREES = 'RECONCILE';

export interface RecoveryWatchParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly alert: (kind: string, text: string, fields: Readonly<Record<string, string | number>>) => void;
  /** For `status` of a bot that does not run. @throws FileFault */
  readonly keep?: ((report: RecoveryReport) => void) | undefined;
  /** As in `LiveBotParts`. */
  readonly commandLine: (...command: readonly string[]) => string;
  /** The core's `pause`, with its reason: withdraws everything and is stored. */
  readonly pause: (reason: string) => void;
}

/** Webhooks are told of a recovery that found nothing once in so long, ms: a line may come and go. */
const CALM_MS = 60_000;

export class RecoveryWatch {
  readonly #parts: RecoveryWatchParts;
  #last: ShownRecovery | undefined;
  #calmAt = Number.NEGATIVE_INFINITY;

  constructor(parts: RecoveryWatchParts) {
    this.#parts = parts;
  }

  /** The last one; undefined before the first. */
  get last(): ShownRecovery | undefined {
    return this.#last;
  }

  recovered(report: RecoveryReport): void {
    const { log } = this.#parts;
    const text = recoveryText(report);
    this.#last = { ...report, text };
    this.#keep(report);
    const fields = { recovery: report };
    if (report.outcome === 'disagrees') log.error(fields, text);
    else if (report.outcome === 'adjusted' || report.gap !== undefined) log.warn(fields, text);
    else log.info(fields, text);
    this.#tell(report, text);
    if (report.outcome === 'disagrees') this.#pause(report);
  }

  #keep(report: RecoveryReport): void {
    try {
      this.#parts.keep?.(report);
    } catch (error) {
      // A file that cannot be written to ends the run with its next step.
      this.#parts.log.error({ err: error }, 'the recovery could not be stored: `status` shows an earlier one');
    }
  }

  #tell(report: RecoveryReport, text: string): void {
    const { clock, alert, commandLine } = this.#parts;
    const { cause, outcome, ordersCompared, ordersEnded = 0, fillsFound, downMs } = report;
    const fields = {
      cause,
      outcome,
      orders: ordersCompared,
      ordersEnded,
      fills: fillsFound,
      ...(downMs === undefined ? {} : { down_ms: downMs }),
    };
    if (outcome === 'disagrees') {
      alert(
        'disagreement',
        `halfspread stopped quoting: ${text}. Find out why; \`${commandLine('resume')}\` compares again`,
        fields,
      );
      return;
    }
    if (!isEventful(report)) {
      if (cause === 'start' || clock.now() - this.#calmAt < CALM_MS) return;
      this.#calmAt = clock.now();
    }
    alert('recovery', `halfspread ${text}`, fields);
  }

  #pause({ differences }: RecoveryReport): void {
    try {
      this.#parts.pause(`${DISAGREES}: ${differences.slice(0, 3).join('; ')}`);
    } catch (error) {
      this.#parts.log.error(
        { err: error },
        'the bot could not be paused: nothing is sent as long as the account disagrees',
      );
    }
  }
}
