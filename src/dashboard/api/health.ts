import type { Bot, Health } from '../generated/schema-types.ts';
import type { WatchedBot } from './watched-bot.ts';

/** Time without a report after which a bot is unreachable. Bots report at least once a second. */
const SILENT_MS = 2_000;

/** Returns a bot's health: the state that is most urgent for an operator. */
export function assessHealth(
  bot: Pick<WatchedBot, 'report' | 'seenAt' | 'problem'>,
  now: number,
): Pick<Bot, 'health' | 'healthReason'> {
  const { report, seenAt, problem } = bot;
  if (report === undefined || seenAt === undefined || problem !== undefined)
    return toHealth('UNREACHABLE', problem ?? 'not connected yet');
  if (now - seenAt > SILENT_MS) return toHealth('UNREACHABLE', `no report for more than ${SILENT_MS / 1_000} s`);
  const { mode, killReason, modeReason, link, reconciled, venueMode, venueModeReason, markets, maxBookAgeMs } = report;
  if (mode === 'KILLED') return toHealth('KILLED', killReason);
  if (link === 'DOWN') return toHealth('LINK_DOWN', 'no connection to the venue');
  if (reconciled !== 'agrees') {
    const why = reconciled === 'disagrees' ? 'the account differs from the venue' : 'the account is being compared';
    return toHealth('COMPARING', why);
  }
  if (mode === 'PAUSED') return toHealth('PAUSED', modeReason);
  if (mode === 'REDUCING') return toHealth('REDUCING', modeReason);
  if (venueMode !== 'NORMAL') return toHealth('IDLE', venueModeReason ?? `the venue is in mode ${venueMode}`);
  const open = markets.filter(({ acceptingOrders, strategy }) => acceptingOrders && strategy !== null);
  const uptimeMs = report.now - report.startedAt;
  const stale = open.find(({ bookAgeMs }) => (bookAgeMs ?? uptimeMs) > (maxBookAgeMs ?? Infinity));
  if (stale !== undefined) {
    const age = stale.bookAgeMs;
    const why = age === null ? 'no book yet' : `no update of its book for ${(age / 1_000).toFixed(1)} s`;
    return toHealth('STALE', `${stale.slug}: ${why}`);
  }
  const quoted = open.filter(({ ownBid, ownAsk }) => ownBid !== null || ownAsk !== null);
  const oneSided = open.filter(({ ownBid, ownAsk }) => ownBid === null || ownAsk === null);
  if (quoted.length === 0)
    return toHealth('IDLE', open.length === 0 ? 'no open market' : 'no own order rests in an open market');
  if (oneSided.length > 0) return toHealth('ONE_SIDED', `${oneSided.length} of ${open.length} markets`);
  return toHealth('QUOTING', null);
}

function toHealth(health: Health, healthReason: string | null) {
  return { health, healthReason };
}
