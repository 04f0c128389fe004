import { describe, expect, it } from 'vitest';
import { Closers } from '../../src/cli/closers.ts';
import { openWarmth } from '../../src/cli/live-warmth.ts';
import { nextTurn, SimClock } from '../../src/clock/index.ts';
import { epochMs } from '../../src/domain/index.ts';
import { type SignedMessages, signedMessages } from '../../src/signing/index.ts';
import { DOMAINS, openSigner } from '../signing/stage.ts';

const TRAINING_ORDERS = 1_500;

async function opened(file: Parameters<typeof openWarmth>[0], cores?: number) {
  const signer = await openSigner('native');
  const { order, ...others } = signedMessages(signer, DOMAINS);
  const counts = { signed: 0 };
  const messages: SignedMessages = {
    ...others,
    order: {
      ...order,
      sign(message, key, meant) {
        counts.signed += 1;
        return order.sign(message, key, meant);
      },
    },
  };
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (_fields: object, text: string) => void warnings.push(text) };
  const closers = new Closers(log);
  const clock = new SimClock(epochMs(1_767_225_600_000));
  const keepWarm = await openWarmth(file, { clock, log, signer, messages }, closers, cores);
  return { keepWarm, closers, clock, counts, warnings };
}

/** Turns of the loop until it is so; a test that waits in vain runs into its time limit. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

describe('what keeps the way of an order warm', () => {
  it('rehearses at the start, and then by the clock', async () => {
    const { keepWarm, closers, clock, counts } = await opened({ busy_poll: false, keep_warm_ms: 100 });
    expect(counts.signed).toBeGreaterThanOrEqual(TRAINING_ORDERS);
    expect(clock.pending).toBe(0);
    keepWarm();
    expect(clock.pending).toBe(1);
    await closers.close();
    expect(clock.pending).toBe(0);
  });

  it('polls and rehearses without the clock with busy_poll, until it is closed', async () => {
    const { keepWarm, closers, clock, counts, warnings } = await opened({ busy_poll: true, keep_warm_ms: 100 }, 2);
    const trained = counts.signed;
    keepWarm();
    await until(() => counts.signed > trained + 10);
    expect(clock.pending).toBe(0);
    await closers.close();
    const closed = counts.signed;
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(counts.signed).toBe(closed);
    expect(warnings).toEqual([]);
  });

  it('only polls where nothing is to be rehearsed, and says that a single core is none to spare', async () => {
    const { keepWarm, closers, counts, warnings } = await opened({ busy_poll: true, keep_warm_ms: 'none' }, 1);
    keepWarm();
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(counts.signed).toBe(0);
    expect(warnings).toEqual([expect.stringMatching('busy_poll takes a core')]);
    await closers.close();
  });

  it('begins nothing when it was closed before', async () => {
    const { keepWarm, closers } = await opened({ busy_poll: true, keep_warm_ms: 'none' });
    await closers.close();
    expect(keepWarm).toThrow('it was ended while it was being opened');
  });
});
