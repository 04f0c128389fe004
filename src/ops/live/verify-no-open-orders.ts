/**
 * What the venue says of open orders when a run ends. Bounded: a venue that does not answer holds it up for ten seconds. Whoever ends
 * a bot looks for the orders himself then, and the watchdog and the venue's dead-man's switch go on.
 */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { type OrderCanceller, verifyNoneLeft, verifyNothingOpen } from '../guard/guard.ts';
import type { Log } from '../ports.ts';

export interface OpenOrdersParts {
  /** Own orders that are still open at the venue, waited for. @throws Fault */
  readonly verifyNoneOpen: (timeoutMs: number) => Promise<number>;
  /** Orders whose end the journal does not tell. */
  readonly unsettled: () => readonly { readonly hash: string; readonly timestampMs: number }[];
  readonly client: OrderCanceller;
  readonly clock: Clock;
  readonly log: Log;
}

/** For own orders to go, and for the venue to answer that they have. */
const VERIFY_MS = 4_000;
const ANSWER_MS = 2_000;
/** For the cancel of everything of the account, where that did not do: no try begins later. */
const CANCEL_MS = 6_000;
/** For all of it. */
const TOTAL_MS = 10_000;
/** For the journal to learn it. Longer than the longest pause between two questions about an order without an answer (2 s). */
const TOLD_MS = 3_000;

/**
 * Own orders first; where that way is broken everything of the account is cancelled. A run that was never connected has placed
 * nothing: orders that earlier ones left go by their hashes, and what others have on the account is left alone. Never rejects.
 *
 * @param startedAt when the run began, epoch ms
 * @param isConnected whether the run came to be connected to the venue
 * @returns orders that are open; null when the venue did not say
 */
export async function verifyNoOpenOrders(
  parts: OpenOrdersParts,
  startedAt: number,
  isConnected: boolean,
): Promise<number | null> {
  const { log, clock } = parts;
  const late = Promise.withResolvers<number | null>();
  const heard: LastReadCount = { open: null };
  const cancel = clock.schedule(timeAfter(clock.now(), TOTAL_MS), () => {
    if (heard.open === null) log.warn({}, 'the venue did not say in time whether orders are open');
    late.resolve(heard.open);
  });
  try {
    return await Promise.race([asked(parts, startedAt, isConnected, heard), late.promise]);
  } finally {
    cancel();
  }
}

interface LastReadCount {
  open: number | null;
}

async function asked(
  parts: OpenOrdersParts,
  startedAt: number,
  isConnected: boolean,
  heard: LastReadCount,
): Promise<number | null> {
  const { log, client, clock } = parts;
  const leftovers = isConnected ? undefined : leftoversOf(parts, startedAt);
  if (leftovers !== undefined) return leftoversOpen(parts, leftovers);
  if (isConnected) {
    try {
      const open = await ownOpen(parts, VERIFY_MS);
      if (open === 0) return 0;
      log.warn({ open }, 'orders are still open at the venue: cancelling everything of the account');
    } catch (error) {
      log.warn({ err: error }, 'own orders could not be asked for: cancelling everything of the account');
    }
  }
  const { open } = await verifyNothingOpen({ client, clock, log }, CANCEL_MS);
  heard.open = open ?? null;
  if (open === 0 && isConnected) await told(parts);
  return heard.open;
}

/** Hashes of what earlier runs left; undefined where this one has signed something, or nobody can say. */
function leftoversOf({ unsettled, log }: OpenOrdersParts, startedAt: number): readonly string[] | undefined {
  try {
    const records = unsettled();
    if (records.some(({ timestampMs }) => timestampMs >= startedAt)) return undefined;
    return records.map(({ hash }) => hash);
  } catch (error) {
    log.error({ err: error }, 'the journal could not be read: cancelling everything of the account');
    return undefined;
  }
}

async function leftoversOpen(
  { client, clock, log }: OpenOrdersParts,
  hashes: readonly string[],
): Promise<number | null> {
  if (hashes.length === 0) return 0;
  log.warn({ orders: hashes.length }, 'orders that an earlier run left are being cancelled, and no others');
  const { open } = await verifyNoneLeft(() => client.cancelThese(hashes), { clock, log }, CANCEL_MS);
  return open ?? null;
}

/** What was cancelled past the core is in its journal as soon as the venue's own stream has told it. */
async function told(parts: OpenOrdersParts): Promise<void> {
  try {
    await ownOpen(parts, TOLD_MS);
  } catch (error) {
    parts.log.info({ err: error }, 'the journal may still show orders that are gone: the next start asks for them');
  }
}

/** @throws Fault LINK when the venue has not said it soon after the orders had `patienceMs` to go */
async function ownOpen({ verifyNoneOpen, clock }: OpenOrdersParts, patienceMs: number): Promise<number> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.schedule(timeAfter(clock.now(), patienceMs + ANSWER_MS), () => {
    late.reject(new Fault('LINK', 'the venue did not say in time which orders are open'));
  });
  try {
    return await Promise.race([verifyNoneOpen(patienceMs), late.promise]);
  } finally {
    cancel();
  }
}
