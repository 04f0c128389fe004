/** Report of a recovery at a start or after a lost connection, or of a comparison while the bot runs. */
import {
  counted,
  type EpochMs,
  epochMs,
  formatShares,
  formatTime,
  joinFirst,
  type MicroShares,
} from '../domain/index.ts';

/** Position in a market: in the journal before the recovery, and after the recovery. */
export interface PositionChange {
  readonly market: string;
  readonly before: HeldShares;
  readonly after: HeldShares;
}

export interface HeldShares {
  readonly yes: MicroShares;
  readonly no: MicroShares;
}

/** Why data of earlier runs is missing in a bot's files, as a clause for messages. */
export const GAP_CAUSES = {
  POWER_CUT: 'the machine stopped while the bot ran',
  ACCEPTED_LOSS: 'a loss was accepted',
  RESTORED: 'the files were restored from a backup',
} as const;

/** Data of earlier runs that is missing in a bot's files. */
export interface Gap {
  readonly cause: keyof typeof GAP_CAUSES;
  /**
   * Time of the last entry in the files, epoch ms; 0 if the files are empty. Undefined if the database's mark file
   * proves that nothing was ever acknowledged, so that no order was sent.
   */
  readonly from: number | undefined;
  /** Time of the last acknowledged entry, epoch ms; undefined if unknown. */
  readonly acknowledgedAt: number | undefined;
  /** Number of transactions that are missing in the tables. */
  readonly commits: number;
  /** Number of entries that are missing in the log. */
  readonly entries: number;
}

export interface RecoveryReport {
  /** `audit` is a comparison without a lost connection, reported only if something differed. */
  readonly cause: 'start' | 'reconnect' | 'audit';
  /** End of the recovery, epoch ms. */
  readonly at: EpochMs;
  /**
   * How long the bot could not send orders, ms. At a start, the time since the previous process was last known to run,
   * in whole seconds. Absent at the first start and for `audit`.
   */
  readonly downMs?: number | undefined;
  /** Number of own orders whose end was unknown, which were compared with the venue. */
  readonly ordersCompared: number;
  /** At a start: how many orders were open at the venue, and how many of them were cancelled or adopted. */
  readonly ordersFound: number;
  readonly ordersCancelled: number;
  readonly ordersAdopted: number;
  /** At a start: orders that were open in the journal but had ended, for example by a watchdog. */
  readonly ordersEnded?: number | undefined;
  /** At a start: orders that were open in the journal but had not reached the venue: never sent, or lost. */
  readonly ordersNotAtVenue?: number | undefined;
  /** Fills reported during the recovery. */
  readonly fillsFound: number;
  /** Markets with a position before or after the recovery. */
  readonly positions: readonly PositionChange[];
  /**
   * `adjusted`: the venue's ledger or an operator explains the differences, and the bot accepted the venue's values.
   * `disagrees`: nothing explains the differences, and the bot does not quote until an operator decides.
   */
  readonly outcome: 'agrees' | 'adjusted' | 'disagrees';
  /** One text for each difference. */
  readonly differences: readonly string[];
  /** At a start: missing data; absent if the files are complete. */
  readonly gap?: Gap | undefined;
}

const MAX_LISTED = 5;

/** Returns the report as one line of text. */
export function recoveryText(report: RecoveryReport): string {
  const { cause, downMs, ordersCompared, fillsFound } = report;
  const fills = counted(fillsFound, 'fill');
  switch (cause) {
    case 'start':
      return `started: ${startText(report)}, ${fills} missed, ${positionText(report)}${outcomeText(report, 'the venue agrees')}${gapText(report)}`;
    case 'reconnect':
      return `connected again${downMs === undefined ? '' : ` after ${durationText(downMs)}`}: ${counted(ordersCompared, 'order')} compared, ${fills} found${outcomeText(report)}`;
    case 'audit':
      return `compared with the venue: ${counted(ordersCompared, 'order')}${outcomeText(report)}`;
  }
}

/** Returns whether the recovery found anything worth reporting. */
export function hasFindings(report: RecoveryReport): boolean {
  const { ordersFound, ordersEnded = 0, ordersNotAtVenue = 0, fillsFound, outcome, gap } = report;
  return (
    ordersFound + ordersEnded + ordersNotAtVenue > 0 || fillsFound > 0 || outcome !== 'agrees' || gap !== undefined
  );
}

function startText(report: RecoveryReport): string {
  const { ordersFound, ordersCancelled, ordersAdopted, ordersEnded = 0, ordersNotAtVenue = 0 } = report;
  const journalText = (count: number, what: string): string =>
    count === 0 ? '' : `, ${counted(count, 'order')} of the journal had ${what}`;
  const rest = `${journalText(ordersEnded, 'ended meanwhile')}${journalText(ordersNotAtVenue, 'not reached the venue')}`;
  return `${counted(ordersFound, 'order')} found, ${ordersCancelled} cancelled, ${ordersAdopted} adopted${rest}`;
}

function positionText({ positions }: RecoveryReport): string {
  const changed = positions.filter(({ before, after }) => before.yes !== after.yes || before.no !== after.no);
  if (changed.length === 0) return 'position unchanged';
  const lines = changed.map(
    ({ market, before, after }) => `${market} ${heldText(before)} in the journal, ${heldText(after)} now`,
  );
  return `position: ${joinFirst(lines, MAX_LISTED, '; ')}`;
}

function outcomeText({ outcome, differences }: RecoveryReport, agreesText = 'position agrees'): string {
  if (outcome === 'agrees') return `, ${agreesText}`;
  return `, ${outcome === 'adjusted' ? 'taken over from the venue' : 'DISAGREES'}: ${joinFirst(differences, MAX_LISTED, '; ')}`;
}

function gapText({ gap }: RecoveryReport): string {
  if (gap === undefined) return '';
  const { cause, from, commits, entries } = gap;
  const until = from === undefined || from === 0 ? 'were empty' : `ended at ${formatTime(epochMs(from))}`;
  const missing = `${counted(commits, 'transaction')} and ${entries} log ${entries === 1 ? 'entry' : 'entries'}`;
  return `. Before the start ${GAP_CAUSES[cause]}: the files ${until}, and ${missing} are missing`;
}

function heldText({ yes, no }: HeldShares): string {
  if (yes > 0 && no > 0) return `${formatShares(yes)} YES and ${formatShares(no)} NO`;
  return no > 0 ? `${formatShares(no)} NO` : `${formatShares(yes)} YES`;
}

function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}
