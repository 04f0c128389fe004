/** What the venue says of open orders when a run ends. */
import { describe, expect, it } from 'vitest';
import { SimClock } from '../../src/clock/index.ts';
import { epochMs, Fault } from '../../src/domain/index.ts';
import { verifyNoOpenOrders } from '../../src/ops/live/verify-no-open-orders.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const BEGAN = 1_000;

/** @param these what is open of them after each cancel by hash, in turn */
function fixture({ signed = [], own = 0, these = [0], read = () => signed }: Fixture) {
  const said: string[] = [];
  const clock = new SimClock(epochMs(BEGAN));
  const answers = [...these];
  const fired = (when: Parameters<SimClock['advanceTo']>[0], fire: () => void): void => {
    clock.advanceTo(when);
    fire();
  };
  const parts = {
    verifyNoneOpen: () => {
      said.push('own asked');
      return own instanceof Fault ? Promise.reject(own) : Promise.resolve(own);
    },
    unsettled: () => read().map((timestampMs, at) => ({ hash: `0x${at}`, timestampMs })),
    client: {
      openOrders: () => Promise.resolve(0),
      cancelAll: () => Promise.resolve(said.push('everything cancelled')),
      cancelThese: (hashes: readonly string[]) => {
        said.push(`cancelled ${hashes.join(' ')}`);
        const answer = answers.shift() ?? 0;
        return answer instanceof Fault ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    clock: {
      now: () => clock.now(),
      schedule: (when: Parameters<SimClock['schedule']>[0], fire: () => void) => {
        // Time passes by itself for what waits between two tries, and for nothing else.
        if (when - clock.now() <= 2_000) queueMicrotask(() => fired(when, fire));
        return () => {};
      },
    },
    log: SILENT,
  };
  return { said, parts };
}

interface Fixture {
  readonly signed?: readonly number[];
  readonly own?: number | Fault;
  readonly these?: readonly (number | Fault)[];
  readonly read?: () => readonly number[];
}

const LINK = new Fault('LINK', 'away');

describe('a run that was never connected', () => {
  it('cancels nothing when nothing was open', async () => {
    const { said, parts } = fixture({});
    expect([await verifyNoOpenOrders(parts, BEGAN, false), said]).toEqual([0, []]);
  });

  it('cancels what earlier runs left, by its hashes, until it is gone', async () => {
    const { said, parts } = fixture({ signed: [10, 20], these: [2, LINK, 1, 0] });
    expect(await verifyNoOpenOrders(parts, BEGAN, false)).toBe(0);
    expect(said).toEqual(Array.from({ length: 4 }, () => 'cancelled 0x0 0x1'));
  });

  it('reports how many orders stay open', async () => {
    const { parts } = fixture({ signed: [10], these: Array.from({ length: 99 }, () => 1) });
    expect(await verifyNoOpenOrders(parts, BEGAN, false)).toBe(1);
  });

  it('reports an unknown number when the venue does not answer', async () => {
    const { parts } = fixture({ signed: [10], these: Array.from({ length: 99 }, () => LINK) });
    expect(await verifyNoOpenOrders(parts, BEGAN, false)).toBeNull();
  });

  it('cancels everything when it signed something, or when its journal cannot be read', async () => {
    const placed = fixture({ signed: [10, BEGAN] });
    expect([await verifyNoOpenOrders(placed.parts, BEGAN, false), placed.said]).toEqual([0, ['everything cancelled']]);
    const torn = fixture({
      read: () => {
        throw new Error('the disk is gone');
      },
    });
    expect([await verifyNoOpenOrders(torn.parts, BEGAN, false), torn.said]).toEqual([0, ['everything cancelled']]);
  });
});

describe('a run whose venue does not answer', () => {
  it.each([true, false])('waits for at most ten seconds (connected: %s)', async (isConnected) => {
    const { parts } = fixture({ signed: [10] });
    const clock = new SimClock(epochMs(BEGAN));
    const never = new Promise<number>(() => {});
    const client = { openOrders: () => never, cancelAll: () => never, cancelThese: () => never };
    let answer: number | null | undefined;
    const word = verifyNoOpenOrders({ ...parts, client, clock, verifyNoneOpen: () => never }, BEGAN, isConnected);
    void word.then((open) => {
      answer = open;
    });
    const pass = async (until: number): Promise<void> => {
      while (clock.nextTime() <= until) {
        clock.runNext();
        for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
      }
    };
    await pass(BEGAN + 9_999);
    expect(answer).toBeUndefined();
    await pass(BEGAN + 10_000);
    expect(answer).toBeNull();
  });
});

describe('a run that was connected', () => {
  it('cancels no orders of others when its own are gone', async () => {
    const { said, parts } = fixture({ signed: [10] });
    expect([await verifyNoOpenOrders(parts, BEGAN, true), said]).toEqual([0, ['own asked']]);
  });

  it.each([3, LINK])('cancels everything when they are not (%s)', async (own) => {
    const { said, parts } = fixture({ own });
    expect(await verifyNoOpenOrders(parts, BEGAN, true)).toBe(0);
    expect(said.slice(0, 2)).toEqual(['own asked', 'everything cancelled']);
  });

  it('queries an unanswered order once more after everything was cancelled', async () => {
    const { parts } = fixture({});
    const patience: number[] = [];
    const verifyNoneOpen = (timeoutMs: number): Promise<number> => {
      patience.push(timeoutMs);
      return Promise.resolve(patience.length === 1 ? 1 : 0);
    };
    expect(await verifyNoOpenOrders({ ...parts, verifyNoneOpen }, BEGAN, true)).toBe(0);
    expect(patience).toHaveLength(2);
    expect(patience[1]).toBeGreaterThan(2_000);
  });
});
