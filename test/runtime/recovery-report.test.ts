import { describe, expect, it } from 'vitest';
import { epochMs, microShares } from '../../src/domain/index.ts';
import { hasFindings, type RecoveryReport, recoveryText } from '../../src/runtime/index.ts';

const REPORT: RecoveryReport = {
  cause: 'reconnect',
  at: epochMs(1_000),
  downMs: 12_345,
  ordersCompared: 9,
  ordersFound: 0,
  ordersCancelled: 0,
  ordersAdopted: 0,
  fillsFound: 2,
  positions: [],
  outcome: 'agrees',
  differences: [],
};

function position(market: string, before: readonly [number, number], after: readonly [number, number]) {
  const shares = ([yes, no]: readonly [number, number]) => ({
    yes: microShares(yes * 1_000_000),
    no: microShares(no * 1_000_000),
  });
  return { market, before: shares(before), after: shares(after) };
}

describe('the text of a recovery', () => {
  it.each<readonly [Partial<RecoveryReport>, string]>([
    [{}, 'connected again after 12 s: 9 orders compared, 2 fills found, position agrees'],
    [
      { downMs: 340, ordersCompared: 1, fillsFound: 1 },
      'connected again after 340 ms: 1 order compared, 1 fill found, position agrees',
    ],
    [
      { outcome: 'adjusted', differences: ['cash $1.00 stored, $2.00 at the venue'] },
      'connected again after 12 s: 9 orders compared, 2 fills found, taken over from the venue: cash $1.00 stored, $2.00 at the venue',
    ],
    [
      { outcome: 'disagrees', differences: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      'connected again after 12 s: 9 orders compared, 2 fills found, DISAGREES: a; b; c; d; e; and 2 more',
    ],
    [
      {
        cause: 'start',
        ordersFound: 4,
        ordersCancelled: 3,
        positions: [
          position('rain', [0, 0], [4, 0]),
          position('snow', [1, 1], [1, 1]),
          position('hail', [2, 3], [0, 5]),
        ],
      },
      'started: 4 orders found, 3 cancelled, 0 adopted, 2 fills missed, position: rain 0 YES in the journal, 4 YES now; hail 2 YES and 3 NO in the journal, 5 NO now, the venue agrees',
    ],
    [
      { cause: 'start', fillsFound: 0, ordersEnded: 2 },
      'started: 0 orders found, 0 cancelled, 0 adopted, 2 orders of the journal had ended meanwhile, 0 fills missed, position unchanged, the venue agrees',
    ],
    [
      { cause: 'start', fillsFound: 0, ordersEnded: 3, ordersNotAtVenue: 1 },
      'started: 0 orders found, 0 cancelled, 0 adopted, 3 orders of the journal had ended meanwhile, 1 order of the journal had not reached the venue, 0 fills missed, position unchanged, the venue agrees',
    ],
    [
      { cause: 'start', fillsFound: 0 },
      'started: 0 orders found, 0 cancelled, 0 adopted, 0 fills missed, position unchanged, the venue agrees',
    ],
    [
      {
        cause: 'start',
        gap: { cause: 'POWER_CUT', from: 1_700_000_000_000, acknowledgedAt: undefined, commits: 1, entries: 3 },
      },
      'started: 0 orders found, 0 cancelled, 0 adopted, 2 fills missed, position unchanged, the venue agrees. Before the start the machine stopped while the bot ran: the files ended at 2023-11-14T22:13:20.000Z, and 1 transaction and 3 log entries are missing',
    ],
    [
      {
        cause: 'start',
        gap: { cause: 'ACCEPTED_LOSS', from: 0, acknowledgedAt: undefined, commits: 0, entries: 1 },
      },
      'started: 0 orders found, 0 cancelled, 0 adopted, 2 fills missed, position unchanged, the venue agrees. Before the start a loss was accepted: the files were empty, and 0 transactions and 1 log entry are missing',
    ],
    [{ cause: 'audit', outcome: 'disagrees', differences: ['a'] }, 'compared with the venue: 9 orders, DISAGREES: a'],
  ])('describes %j', (change, text) => {
    expect(recoveryText({ ...REPORT, ...change })).toBe(text);
  });

  it('is notable when the recovery found anything', () => {
    expect(hasFindings({ ...REPORT, fillsFound: 0 })).toBe(false);
    for (const change of [
      { fillsFound: 1 },
      { ordersFound: 1 },
      { ordersEnded: 1 },
      { ordersNotAtVenue: 1 },
      { outcome: 'adjusted' as const },
    ]) {
      expect(hasFindings({ ...REPORT, fillsFound: 0, ...change })).toBe(true);
    }
  });
});
