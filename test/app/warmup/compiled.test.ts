import { describe, expect, it } from 'vitest';
import { Warmup, type WarmupOptions } from '../../../src/app/warmup/warmup.ts';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import type { SignedMessages, Signer } from '../../../src/signing/index.ts';
import { signedMessages } from '../../../src/signing/index.ts';
import { DOMAINS, openSigner } from '../../signing/harness.ts';

const START = epochMs(1_767_225_600_000);

const signer = await openSigner('native');
const messages = signedMessages(signer, DOMAINS);

function createWarmup(
  changes: Partial<Pick<WarmupOptions, 'messages' | 'rowsReceived' | 'ordersSent' | 'signer'>> = {},
) {
  const clock = new SimClock(START);
  const warnings: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };
  return { clock, warnings, warmup: new Warmup({ clock, log, signer, messages, ...changes }) };
}

describe('a warm-up', () => {
  it('answers each frame with a signed and stored order', async () => {
    const { warmup, warnings } = createWarmup();
    await warmup.train(200);
    expect(warnings).toEqual([]);
    expect(warmup.passes).toBe(200);
    expect(warmup.orders).toBeGreaterThanOrEqual(200);
    warmup.end();
  });

  it('signs with a key that has no account', async () => {
    const keys = new Set<string>();
    const { order } = messages;
    const spied: SignedMessages = {
      ...messages,
      order: {
        ...order,
        sign(message, key, meant) {
          keys.add(key.address);
          return order.sign(message, key, meant);
        },
      },
    };
    for (const { warmup } of [createWarmup({ messages: spied }), createWarmup({ messages: spied })])
      await warmup.train(3);
    expect(keys.size).toBe(2);
  });

  it('runs as often as configured and not after its end', async () => {
    const { warmup, clock } = createWarmup();
    warmup.keepWarm(20);
    for (let at = 1; at <= 5; at += 1) {
      clock.runNext();
      await new Promise(setImmediate);
      expect([warmup.passes, clock.now()]).toEqual([at, START + 20 * at]);
    }
    warmup.pause();
    expect(clock.pending).toBe(0);
    warmup.keepWarm(20);
    warmup.end();
    warmup.keepWarm(20);
    expect(clock.pending).toBe(0);
  });

  it('runs less often after a second without data, and at full rate when data arrives', async () => {
    let rows = 0;
    const { warmup, clock } = createWarmup({ rowsReceived: () => rows });
    const runPass = async (): Promise<number> => {
      const before = clock.now();
      clock.runNext();
      await new Promise(setImmediate);
      return clock.now() - before;
    };
    rows = 1;
    warmup.keepWarm(20);
    const pauses: number[] = [];
    for (let count = 0; count < 60; count += 1) pauses.push(await runPass());
    expect(pauses).toEqual([...Array(50).fill(20), ...Array(10).fill(100)]);
    rows = 2;
    // Checked after each pass.
    expect([await runPass(), await runPass(), await runPass()]).toEqual([100, 20, 20]);
    expect(warmup.passes).toBe(63);
    warmup.keepWarm(500);
    for (let count = 0; count < 3; count += 1) expect(await runPass()).toBe(500);
    expect(await runPass()).toBe(500);
    warmup.end();
  });

  it('prepares no orders while real orders are sent', async () => {
    let [sent, keys] = [0, 0];
    const spied: Signer = {
      ...signer,
      key(secret) {
        keys += 1;
        return signer.key(secret);
      },
    };
    const next = (): number => {
      sent += 1;
      return sent;
    };
    const { warmup, clock } = createWarmup({ signer: spied, ordersSent: next });
    warmup.keepWarm(20);
    for (let count = 0; count < 5; count += 1) {
      clock.runNext();
      await new Promise(setImmediate);
    }
    warmup.end();
    expect([warmup.passes, keys]).toEqual([0, 0]);
  });

  it('ends with a warning when a step of it fails, and does not affect trading', async () => {
    const { order } = messages;
    const broken: SignedMessages = {
      ...messages,
      order: {
        ...order,
        sign() {
          throw new Error('broken');
        },
      },
    };
    const { warmup, warnings } = createWarmup({ messages: broken });
    await warmup.train(10);
    expect(warnings).toHaveLength(1);
    expect(warmup.passes).toBe(0);
    warmup.keepWarm(20);
  });
});
