/**
 * Checks for open orders at the venue when a run ends. It waits at most ten seconds for the venue. Without an answer, the operator
 * checks the orders by hand; the watchdog and the venue's dead-man's switch stay active.
 */
import { Fault, timeAfter } from '../../domain/index.ts';
import { verifyNoneLeft, verifyNothingOpen } from '../guard/guard.ts';
import type { LiveBotParts } from './live-bot-parts.ts';

export type OpenOrdersParts = Pick<LiveBotParts, 'verifyNoneOpen' | 'unsettled' | 'client' | 'clock' | 'log'>;

/** Time for own orders to close, and for the venue to confirm it. */
const VERIFY_MS = 4_000;
const ANSWER_MS = 2_000;
/** Time for cancelling every order of the account, if that was not enough. No attempt begins later. */
const CANCEL_MS = 6_000;
/** Time for everything. */
const TOTAL_MS = 10_000;
/** Time for the journal to record it. Longer than the longest pause between two queries about an unknown order (2 s). */
const JOURNAL_MS = 3_000;

/**
 * Waits for the bot's own orders. If that fails, cancels every order of the account. A run that never connected has placed nothing:
 * then only orders of earlier runs are cancelled, by hash, and orders of others stay. Never rejects.
 *
 * @param startedAt start of the run, epoch ms
 * @param isConnected whether the run was ever connected to the venue
 * @returns open orders; null when the venue did not answer
 */
export async function verifyNoOpenOrders(
  parts: OpenOrdersParts,
  startedAt: number,
  isConnected: boolean,
): Promise<number | null> {
  const { log, clock } = parts;
  const late = Promise.withResolvers<number | null>();
  const last: LastReadCount = { open: null };
  const cancel = clock.schedule(timeAfter(clock.now(), TOTAL_MS), () => {
    if (last.open === null) log.warn({}, 'the venue did not confirm in time whether orders are open');
    late.resolve(last.open);
  });
  try {
    return await Promise.race([openAtEnd(parts, startedAt, isConnected, last), late.promise]);
  } finally {
    cancel();
  }
}

interface LastReadCount {
  open: number | null;
}

async function openAtEnd(
  parts: OpenOrdersParts,
  startedAt: number,
  isConnected: boolean,
  last: LastReadCount,
): Promise<number | null> {
  const { log, client, clock } = parts;
  const leftovers = isConnected ? undefined : leftoversOf(parts, startedAt);
  if (leftovers !== undefined) return leftoversOpen(parts, leftovers);
  if (isConnected) {
    try {
      const open = await ownOpen(parts, VERIFY_MS);
      if (open === 0) return 0;
      log.warn({ open }, 'orders are still open at the venue: cancelling every order of the account');
    } catch (error) {
      log.warn({ err: error }, 'own orders could not be read: cancelling every order of the account');
    }
  }
  const { open } = await verifyNothingOpen({ client, clock, log }, CANCEL_MS);
  last.open = open ?? null;
  if (open === 0 && isConnected) await waitForJournal(parts);
  return last.open;
}

/** Hashes of orders of earlier runs; undefined when this run signed an order, or the journal cannot be read. */
function leftoversOf({ unsettled, log }: OpenOrdersParts, startedAt: number): readonly string[] | undefined {
  try {
    const records = unsettled();
    if (records.some(({ timestampMs }) => timestampMs >= startedAt)) return undefined;
    return records.map(({ hash }) => hash);
  } catch (error) {
    log.error({ err: error }, 'the journal could not be read: cancelling every order of the account');
    return undefined;
  }
}

async function leftoversOpen(
  { client, clock, log }: OpenOrdersParts,
  hashes: readonly string[],
): Promise<number | null> {
  if (hashes.length === 0) return 0;
  log.warn({ orders: hashes.length }, 'cancelling only the orders that an earlier run left');
  const { open } = await verifyNoneLeft(() => client.cancelThese(hashes), { clock, log }, CANCEL_MS);
  return open ?? null;
}

/** Waits until the venue's stream has reported orders that were cancelled past the core, so that the journal has their end. */
async function waitForJournal(parts: OpenOrdersParts): Promise<void> {
  try {
    await ownOpen(parts, JOURNAL_MS);
  } catch (error) {
    parts.log.info({ err: error }, 'the journal may still show orders that are closed: the next start compares them');
  }
}

/** @throws Fault LINK when the venue does not answer soon after `patienceMs` */
async function ownOpen({ verifyNoneOpen, clock }: OpenOrdersParts, patienceMs: number): Promise<number> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.schedule(timeAfter(clock.now(), patienceMs + ANSWER_MS), () => {
    late.reject(new Fault('LINK', 'the venue did not list its open orders in time'));
  });
  try {
    return await Promise.race([verifyNoneOpen(patienceMs), late.promise]);
  } finally {
    cancel();
  }
}
