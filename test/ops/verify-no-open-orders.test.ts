/** The check for open orders at the end of a run. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, Fault } from '../../src/domain/index.ts';
import { verifyNoOpenOrders } from '../../src/ops/live/verify-no-open-orders.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const BEGAN = 1_000;

/** @param openByHash open orders after each cancel by hash, in turn */
function fixture({ signed = [], own = 0, openByHash = [0], read = () => signed }: Fixture) {
  const actions: string[] = [];
  const clock = new SimClock(epochMs(BEGAN));
  const answers = [...openByHash];
  const fired = (when: Parameters<SimClock['advanceTo']>[0], fire: () => void): void => {
    clock.advanceTo(when);
    fire();
  };
  const parts = {
    verifyNoneOpen: () => {
      actions.push('own asked');
      return own instanceof Fault ? Promise.reject(own) : Promise.resolve(own);
    },
    unfinishedOrders: () => read().map((timestampMs, at) => ({ hash: `0x${at}`, timestampMs })),
    client: {
      countOpenOrders: () => Promise.resolve(0),
      cancelAll: () => Promise.resolve(actions.push('everything cancelled')),
      cancelOrders: (hashes: readonly string[]) => {
        actions.push(`cancelled ${hashes.join(' ')}`);
        const answer = answers.shift() ?? 0;
        return answer instanceof Fault ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    clock: {
      now: () => clock.now(),
      schedule: (when: Parameters<SimClock['schedule']>[0], fire: () => void) => {
        // Only waits between two attempts end by themselves.
        if (when - clock.now() <= 2_000) queueMicrotask(() => fired(when, fire));
        return () => {};
      },
    },
    log: SILENT,
  };
  return { actions, parts };
}

interface Fixture {
  readonly signed?: readonly number[];
  readonly own?: number | Fault;
  readonly openByHash?: readonly (number | Fault)[];
  readonly read?: () => readonly number[];
}

const LINK = new Fault('LINK', 'away');

describe('a run that was never connected', () => {
  it('cancels nothing when nothing was open', async () => {
    const { actions, parts } = fixture({});
    expect([await verifyNoOpenOrders(parts, { startedAt: BEGAN, isConnected: false }), actions]).toEqual([0, []]);
  });

  it('cancels orders of earlier runs by hash until none is open', async () => {
    const { actions, parts } = fixture({ signed: [10, 20], openByHash: [2, LINK, 1, 0] });
    expect(await verifyNoOpenOrders(parts, { startedAt: BEGAN, isConnected: false })).toBe(0);
    expect(actions).toEqual(Array.from({ length: 4 }, () => 'cancelled 0x0 0x1'));
  });

  it('reports how many orders stay open', async () => {
    const { parts } = fixture({ signed: [10], openByHash: Array.from({ length: 99 }, () => 1) });
    expect(await verifyNoOpenOrders(parts, { startedAt: BEGAN, isConnected: false })).toBe(1);
  });

  it('reports an unknown number when the venue does not answer', async () => {
    const { parts } = fixture({ signed: [10], openByHash: Array.from({ length: 99 }, () => LINK) });
    expect(await verifyNoOpenOrders(parts, { startedAt: BEGAN, isConnected: false })).toBeNull();
  });

  it('cancels everything when it signed something, or when its journal cannot be read', async () => {
    const placed = fixture({ signed: [10, BEGAN] });
    expect([await verifyNoOpenOrders(placed.parts, { startedAt: BEGAN, isConnected: false }), placed.actions]).toEqual([
      0,
      ['everything cancelled'],
    ]);
    const torn = fixture({
      read: () => {
        throw new Error('the disk is gone');
      },
    });
    expect([await verifyNoOpenOrders(torn.parts, { startedAt: BEGAN, isConnected: false }), torn.actions]).toEqual([
      0,
      ['everything cancelled'],
    ]);
  });
});

describe('a run whose venue does not answer', () => {
  it.each([true, false])('waits for at most ten seconds (connected: %s)', async (isConnected) => {
    const { parts } = fixture({ signed: [10] });
    const clock = new SimClock(epochMs(BEGAN));
    const never = new Promise<number>(() => {});
    const client = { countOpenOrders: () => never, cancelAll: () => never, cancelOrders: () => never };
    let answer: number | null | undefined;
    const result = verifyNoOpenOrders(
      { ...parts, client, clock, verifyNoneOpen: () => never },
      { startedAt: BEGAN, isConnected },
    );
    void result.then((open) => {
      answer = open;
    });
    const passTime = async (until: number): Promise<void> => {
      while (clock.nextTime() <= until) {
        clock.runNext();
        for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
      }
    };
    await passTime(BEGAN + 9_999);
    expect(answer).toBeUndefined();
    await passTime(BEGAN + 10_000);
    expect(answer).toBeNull();
  });
});

describe('a run that was connected', () => {
  it('does not cancel other orders of the account when its own are closed', async () => {
    const { actions, parts } = fixture({ signed: [10] });
    expect([await verifyNoOpenOrders(parts, { startedAt: BEGAN, isConnected: true }), actions]).toEqual([
      0,
      ['own asked'],
    ]);
  });

  it.each([3, LINK])('cancels everything when its own are not confirmed as closed (%s)', async (own) => {
    const { actions, parts } = fixture({ own });
    expect(await verifyNoOpenOrders(parts, { startedAt: BEGAN, isConnected: true })).toBe(0);
    expect(actions.slice(0, 2)).toEqual(['own asked', 'everything cancelled']);
  });

  it('queries an unanswered order once more after everything was cancelled', async () => {
    const { parts } = fixture({});
    const timeouts: number[] = [];
    const verifyNoneOpen = (timeoutMs: number): Promise<number> => {
      timeouts.push(timeoutMs);
      return Promise.resolve(timeouts.length === 1 ? 1 : 0);
    };
    expect(await verifyNoOpenOrders({ ...parts, verifyNoneOpen }, { startedAt: BEGAN, isConnected: true })).toBe(0);
    expect(timeouts).toHaveLength(2);
    expect(timeouts[1]).toBeGreaterThan(2_000);
  });
});
