/** What a recovery found and did: at a start, after a lost connection, or in a comparison while the bot runs. */
import { type EpochMs, formatShares, type MicroShares } from '../domain/index.ts';

/** What is held in a market, before and after. */
export interface PositionChange {
  readonly market: string;
  readonly before: HeldShares;
  readonly after: HeldShares;
}

export interface HeldShares {
  readonly yes: MicroShares;
  readonly no: MicroShares;
}

export interface RecoveryReport {
  /** `audit`: a comparison without a loss, reported only where something differed. */
  readonly cause: 'start' | 'reconnect' | 'audit';
  /** When it ended. */
  readonly at: EpochMs;
  /** How long nothing could be sent, ms; 0 but for `reconnect`. */
  readonly downMs: number;
  /** Own orders whose end was not known: each was compared with the venue's. */
  readonly ordersCompared: number;
  /** At a start: those that stood at the venue, and what was done with them. */
  readonly ordersFound: number;
  readonly ordersCancelled: number;
  readonly ordersAdopted: number;
  /** Fills that were told meanwhile. */
  readonly fillsFound: number;
  /** Markets in which something was or is held. */
  readonly positions: readonly PositionChange[];
  /**
   * `adjusted`: the venue's account was taken over, as its ledger or an operator explains it. `disagrees`: nothing explains the
   * differences, and nothing is quoted until an operator has looked.
   */
  readonly outcome: 'agrees' | 'adjusted' | 'disagrees';
  /** Each in words. */
  readonly differences: readonly string[];
}

const SECOND_MS = 1_000;
const MOST_LISTED = 5;

/** One line for people. */
export function recoveryText(report: RecoveryReport): string {
  const { cause, downMs, ordersCompared, fillsFound } = report;
  const fills = counted(fillsFound, 'fill');
  switch (cause) {
    case 'start':
      return `started: ${startText(report)}, ${fills} missed, ${positionText(report)}${outcomeText(report, 'the venue agrees')}`;
    case 'reconnect':
      return `connected again after ${durationText(downMs)}: ${counted(ordersCompared, 'order')} compared, ${fills} found${outcomeText(report)}`;
    case 'audit':
      return `compared with the venue: ${counted(ordersCompared, 'order')}${outcomeText(report)}`;
  }
}

/** Whether anything was found that somebody may want to know. */
export function isEventful({ ordersFound, fillsFound, outcome }: RecoveryReport): boolean {
  return ordersFound > 0 || fillsFound > 0 || outcome !== 'agrees';
}

function startText({ ordersFound, ordersCancelled, ordersAdopted }: RecoveryReport): string {
  return `${counted(ordersFound, 'order')} found, ${ordersCancelled} cancelled, ${ordersAdopted} adopted`;
}

function positionText({ positions }: RecoveryReport): string {
  const changed = positions.filter(({ before, after }) => before.yes !== after.yes || before.no !== after.no);
  if (changed.length === 0) return 'position unchanged';
  const lines = changed.map(
    ({ market, before, after }) => `${market} ${heldText(before)} before, ${heldText(after)} after`,
  );
  return `position: ${listed(lines)}`;
}

function outcomeText({ outcome, differences }: RecoveryReport, agrees = 'position agrees'): string {
  switch (outcome) {
    case 'agrees':
      return `, ${agrees}`;
    case 'adjusted':
      return `, taken over from the venue: ${listed(differences)}`;
    case 'disagrees':
      return `, DISAGREES: ${listed(differences)}`;
  }
}

function heldText({ yes, no }: HeldShares): string {
  if (yes > 0 && no > 0) return `${formatShares(yes)} YES and ${formatShares(no)} NO`;
  return no > 0 ? `${formatShares(no)} NO` : `${formatShares(yes)} YES`;
}

function listed(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED;
  return `${texts.slice(0, MOST_LISTED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function durationText(ms: number): string {
  return ms < SECOND_MS ? `${Math.round(ms)} ms` : `${Math.round(ms / SECOND_MS)} s`;
}
