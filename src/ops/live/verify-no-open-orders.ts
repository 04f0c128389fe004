/**
 * Checks for open orders at the venue when a run ends. Waits at most ten seconds for the venue. Without an answer, the
 * operator must check the orders, and the watchdog and the venue's dead-man's switch stay active.
 */
import { withTimeout } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { cancelAllAndVerify, cancelAndVerify } from '../guard/guard.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';

export type OpenOrdersDeps = Pick<LiveBotDeps, 'verifyNoneOpen' | 'unfinishedOrders' | 'client' | 'clock' | 'log'>;

/** Time for own orders to close and for the venue to confirm their end. */
const VERIFY_MS = 4_000;
const ANSWER_MS = 2_000;
/** Time limit for starting another attempt to cancel every order of the account. */
const CANCEL_MS = 6_000;
const TOTAL_MS = 10_000;
/** Time for the journal to record closed orders. Longer than the pause between queries about an unknown order (2 s). */
const JOURNAL_MS = 3_000;

/**
 * Waits until the bot's own orders are closed. If they stay open, cancels every order of the account. A run that never
 * connected has placed no orders, so it cancels only orders of earlier runs, by hash. Never rejects.
 * @param startedAt start of the bot, epoch ms. @returns number of open orders; null if the venue did not answer
 */
export function verifyNoOpenOrders(
  deps: OpenOrdersDeps,
  { startedAt, isConnected }: { readonly startedAt: number; readonly isConnected: boolean },
) {
  const { log, client, clock } = deps;
  let lastOpen: number | null = null;
  const verify = async (): Promise<number | null> => {
    const leftovers = isConnected ? undefined : findLeftovers(deps, startedAt);
    if (leftovers !== undefined) return cancelLeftovers(deps, leftovers);
    if (isConnected) {
      try {
        const open = await countOwnOpen(deps, VERIFY_MS);
        if (open === 0) return 0;
        log.warn({ open }, 'orders are still open at the venue: cancelling every order of the account');
      } catch (error) {
        log.warn({ err: error }, 'own orders could not be read: cancelling every order of the account');
      }
    }
    lastOpen = (await cancelAllAndVerify({ client, clock, log }, CANCEL_MS)).open ?? null;
    if (lastOpen === 0 && isConnected) await waitForJournal(deps);
    return lastOpen;
  };
  return withTimeout(clock, TOTAL_MS, verify(), () => {
    if (lastOpen === null) log.warn({}, 'the venue did not confirm in time whether orders are open');
    return lastOpen;
  });
}

/** Returns order hashes of earlier runs; undefined if this run signed an order, or the journal cannot be read. */
function findLeftovers({ unfinishedOrders, log }: OpenOrdersDeps, startedAt: number): readonly string[] | undefined {
  try {
    const records = unfinishedOrders();
    if (records.some(({ timestampMs }) => timestampMs >= startedAt)) return undefined;
    return records.map(({ hash }) => hash);
  } catch (error) {
    log.error({ err: error }, 'the journal could not be read: cancelling every order of the account');
    return undefined;
  }
}

async function cancelLeftovers(deps: OpenOrdersDeps, hashes: readonly string[]): Promise<number | null> {
  const { client, clock, log } = deps;
  if (hashes.length === 0) return 0;
  log.warn({ orders: hashes.length }, 'cancelling only the orders that an earlier run left');
  const { open } = await cancelAndVerify(() => client.cancelOrders(hashes), { clock, log }, CANCEL_MS);
  return open ?? null;
}

/** Waits until the venue's stream has reported the cancelled orders, so that the journal records their end. */
async function waitForJournal(deps: OpenOrdersDeps): Promise<void> {
  try {
    await countOwnOpen(deps, JOURNAL_MS);
  } catch (error) {
    deps.log.info({ err: error }, 'the journal may still show orders that are closed: the next start compares them');
  }
}

/** @throws Fault LINK if the venue does not answer soon after `waitMs` */
async function countOwnOpen({ verifyNoneOpen, clock }: OpenOrdersDeps, waitMs: number): Promise<number> {
  return withTimeout(clock, waitMs + ANSWER_MS, verifyNoneOpen(waitMs), () =>
    Promise.reject(new Fault('LINK', 'the venue did not list its open orders in time')),
  );
}
