import { describe, expect, it } from 'vitest';
import { epochMs, OrderLifecycle } from '../../../src/domain/index.ts';
import { countJournal, RecoveryRecorder } from '../../../src/venues/base/recovery-recorder.ts';
import { account, filled, place, shares } from '../../state/world.ts';

const AGREES = { outcome: 'agrees', orders: 0, differences: [] } as const;

/** Returns the downtime in ms that a start at 100,000 ms reports. */
function downMs(journalAt: number, lastAlive: number | undefined): number | undefined {
  const view = { now: epochMs(journalAt), markets: [] } as unknown as ConstructorParameters<typeof RecoveryRecorder>[0];
  const recorder = new RecoveryRecorder(view, () => 0, lastAlive);
  recorder.begin(epochMs(99_000));
  return recorder.end('start', epochMs(100_000), AGREES).downMs;
}

describe('a fill that a recovery finds', () => {
  it('has the cause of the recovery, and a fill outside of a recovery has none', () => {
    const view = { now: epochMs(0), markets: [] } as unknown as ConstructorParameters<typeof RecoveryRecorder>[0];
    const recorder = new RecoveryRecorder(view, () => 0);
    const cause = () => recorder.onFilled(filled({ order: 1 })).recovery;
    recorder.begin(epochMs(1));
    const causes = [cause()];
    expect(recorder.end('start', epochMs(2), AGREES).fillsFound).toBe(1);
    causes.push(cause());
    recorder.begin(epochMs(3));
    causes.push(cause());
    recorder.end('reconnect', epochMs(4), AGREES);
    causes.push(cause());
    expect(causes).toEqual(['start', undefined, 'reconnect', undefined]);
  });
});

describe('the orders that the journal has as open at a start', () => {
  it('are counted as found, as ended, or as not at the venue when they were never signed or have no answer', () => {
    const state = account();
    for (let order = 1; order <= 4; order += 1) state.applyCommand(place({ order }), epochMs(0));
    const recorder = new RecoveryRecorder(state, () => 0);
    recorder.begin(epochMs(1));
    const journal = (['live', 'ended', 'sent'] as const).map((hash) => ({
      hash,
      life: new OrderLifecycle(shares(1), hash),
    }));
    const orders = { byHash: (sought: string) => journal.find(({ hash }) => hash === sought) };
    const leftovers = { found: 1, cancelled: 1, adopted: 0, ...countJournal(journal, orders) };
    expect(recorder.end('start', epochMs(2), AGREES, leftovers)).toMatchObject({
      ordersFound: 1,
      ordersEnded: 1,
      ordersNotAtVenue: 2,
    });
  });
});

describe('the number of orders that are not at the venue', () => {
  it('is not negative when the account has ended an order whose signed record is still stored', () => {
    const recorder = new RecoveryRecorder(account(), () => 0);
    recorder.begin(epochMs(1));
    const leftovers = { found: 0, cancelled: 0, adopted: 0, ended: 1, known: 1 };
    expect(recorder.end('start', epochMs(2), AGREES, leftovers).ordersNotAtVenue).toBe(0);
  });
});

describe('the downtime of a bot before a start', () => {
  it('counts from the last sign of life of its process when its journal is older', () => {
    expect(downMs(10_000, 97_000)).toBe(3_000);
  });

  it('counts from the last step of the journal when that is later or no sign of life is stored', () => {
    expect(downMs(98_000, 97_000)).toBe(2_000);
    expect(downMs(98_000, undefined)).toBe(2_000);
  });

  it('is absent at a first start and zero when the clock was set back', () => {
    expect(downMs(0, 97_000)).toBeUndefined();
    expect(downMs(10_000, 200_000)).toBe(0);
  });
});
