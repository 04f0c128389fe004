import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Closers } from '../../../src/app/startup.ts';
import { warmUp } from '../../../src/app/warmup/warmup.ts';
import { nextEventLoopTurn, SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { type SignedMessages, signedMessages } from '../../../src/signing/index.ts';
import { DOMAINS, openSigner } from '../../signing/harness.ts';

const TRAINING_ORDERS = 1_500;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warmup-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function openWarmup(file: Parameters<typeof warmUp>[0], db = join(folder, 'bot.db')) {
  const signer = await openSigner('native');
  const { order, ...others } = signedMessages(signer, DOMAINS);
  const counts = { signed: 0, sent: 0 };
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
  const keepWarm = await warmUp(file, { clock, log, signer, messages, db, ordersSent: () => counts.sent }, closers);
  return { keepWarm, closers, clock, counts, warnings };
}

/** The open files and sockets of this process. */
function descriptors(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith('socket:') || target.includes('bot.db') ? [target] : [];
    } catch {
      return [];
    }
  });
}

describe('the warm-up of the order path', () => {
  it('runs at the start and then by the clock', async () => {
    const { keepWarm, closers, clock, counts } = await openWarmup({ warmup_ms: 100 });
    expect(counts.signed).toBeGreaterThanOrEqual(TRAINING_ORDERS);
    expect(clock.pending).toBe(0);
    keepWarm();
    expect(clock.pending).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
    await closers.close();
    expect(clock.pending).toBe(0);
  });

  it.runIf(existsSync('/proc/self/fd'))('closes its file and both ends of its connection with the run', async () => {
    const before = descriptors();
    const { keepWarm, closers } = await openWarmup({ warmup_ms: 2 });
    keepWarm();
    expect(descriptors().filter((each) => each.includes('bot.db.warmup'))).toHaveLength(1);
    expect(descriptors()).toHaveLength(before.length + 3);
    await closers.close();
    while (descriptors().length > before.length) await nextEventLoopTurn();
  });

  it('skips a pass after a real order', async () => {
    const { keepWarm, closers, clock, counts } = await openWarmup({ warmup_ms: 2 });
    keepWarm();
    const passes: number[] = [];
    for (const sent of [0, 1, 1, 5, 5, 5]) {
      counts.sent = sent;
      const before = counts.signed;
      clock.runNext();
      await nextEventLoopTurn();
      passes.push(Math.min(1, counts.signed - before));
    }
    expect(passes).toEqual([1, 0, 1, 0, 1, 1]);
    await closers.close();
  });

  it('runs without a file when none can be created, and reports it', async () => {
    const db = join(folder, 'nowhere', 'bot.db');
    const { closers, counts, warnings } = await openWarmup({ warmup_ms: 2 }, db);
    expect(counts.signed).toBeGreaterThanOrEqual(TRAINING_ORDERS);
    expect(warnings).toEqual([expect.stringMatching('the warm-up runs without a file')]);
    await closers.close();
  });

  it('does not run when the configuration disables it', async () => {
    const { keepWarm, closers, clock, counts } = await openWarmup({ warmup_ms: 'none' });
    keepWarm();
    expect([counts.signed, clock.pending]).toEqual([0, 0]);
    await closers.close();
  });
});
