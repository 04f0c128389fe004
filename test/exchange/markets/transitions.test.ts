import { describe, expect, it } from 'vitest';
import { isFinalState, LIFECYCLE_STATES } from '../../../src/exchange/markets/lifecycle-state.ts';
import { requiresOpen, TRANSITIONS, transition, transitionsFrom } from '../../../src/exchange/markets/transitions.ts';

/** Columns: from, trigger, to, condition, actor, note, orders, positions, record. */
const TABLE = `
  (new) | createMarket | DEPLOY | the input is valid | creator | created | RESERVED | - | nothing
  DEPLOY | chainConfirmed | OPEN | always | chain | deployed | ENTERS | - | nothing
  DEPLOY | chainFailed | DEPLOY | not permanent | chain | requested again | - | - | -
  DEPLOY | chainFailed | CANCELLED | permanent | chain | deployment failed | MARKET_NOT_OPEN | REFUND | nothing
  DEPLOY | due | CANCELLED | chainTimeout | clock | deployment timed out | MARKET_NOT_OPEN | REFUND | nothing
  OPEN | due | PENDING_RESOLUTION | resolutionDate | clock | resolution date reached | MARKET_NOT_OPEN | - | nothing
  OPEN | closeEarly | PENDING_RESOLUTION | always | resolver | closed early | MARKET_NOT_OPEN | - | nothing
  OPEN | voidMarket | CANCELLED | always | operator | voided | MARKET_NOT_OPEN | REFUND | nothing
  OPEN | voidByCreator | CANCELLED | no trade yet | creator | voided | MARKET_NOT_OPEN | REFUND | nothing
  OPEN | moveDate | OPEN | to the future | mover | resolution date moved | - | - | resolutionDate
  OPEN | halt | OPEN | not halted | operator | halted | MARKET_HALTED | - | -
  OPEN | resume | OPEN | halted | operator | resumed | - | - | -
  OPEN | changeTick | OPEN | another tick | operator | tick changed | TICK_CHANGED | - | -
  OPEN | changeMinOrder | OPEN | another minimum | operator | smallest order changed | - | - | -
  PENDING_RESOLUTION | castVote | PENDING_RESOLUTION | first of its model in the round | model | vote | - | - | vote
  PENDING_RESOLUTION | castVote | RESOLVED | quorum of YES, NO or undecidable | panel | quorum reached | - | - | outcome
  PENDING_RESOLUTION | castVote | CANCELLED | quorum of CANCELLED | panel | question invalid | - | REFUND | outcome
  PENDING_RESOLUTION | moveDate | OPEN | to the future | mover | too early to decide | - | - | resolutionDate
  PENDING_RESOLUTION | due | RESOLUTION_FAILED | quorumTimeout | clock | no quorum in time | - | - | nothing
  PENDING_RESOLUTION | voidMarket | CANCELLED | always | operator | voided | - | REFUND | nothing
  RESOLVED | dispute | RESOLVED | by a holder, once a decision | holder | disputed | - | - | reason
  RESOLVED | upholdDispute | PENDING_RESOLUTION | the decision is disputed | operator | dispute upheld | - | - | nothing
  RESOLVED | due | REPORT | disputeWindow | clock | dispute window over | - | - | nothing
  REPORT | chainConfirmed | RESOLVED_YES | YES pays | chain | payout reported | - | PAYOUT | outcome
  REPORT | chainConfirmed | RESOLVED_NO | NO pays | chain | payout reported | - | PAYOUT | outcome
  REPORT | chainConfirmed | RESOLVED_UNCERTAIN | both pay half | chain | payout reported | - | PAYOUT | outcome
  REPORT | chainFailed | REPORT | not permanent | chain | requested again | - | - | -
  REPORT | chainFailed | RESOLUTION_FAILED | permanent | chain | payout failed | - | - | nothing
  REPORT | due | RESOLUTION_FAILED | chainTimeout | clock | payout timed out | - | - | nothing
  RESOLUTION_FAILED | retryResolution | PENDING_RESOLUTION | always | operator | tried again | - | - | nothing
  RESOLUTION_FAILED | decideManually | RESOLVED | safetyPeriod over | operator | decided by hand | - | - | outcome
  RESOLUTION_FAILED | voidMarket | CANCELLED | always | operator | given up | - | REFUND | nothing
`;

describe('the table of transitions', () => {
  it('equals the specification', () => {
    const rows = TRANSITIONS.map(({ from = '(new)', trigger, to, when, actor, note, orders, positions, data }) =>
      [from, trigger, to, when || 'always', actor, note, orders, positions, data].join(' | '),
    );
    const laidDown = TABLE.trim()
      .replaceAll('DEPLOY', 'PENDING_BLOCKCHAIN (DEPLOY)')
      .replaceAll('REPORT', 'PENDING_BLOCKCHAIN (REPORT_PAYOUT)');
    expect(rows).toEqual(laidDown.split('\n').map((line) => line.trim()));
  });

  it('has each row once and at most one row for each state’s timeout', () => {
    const keys = TRANSITIONS.map(({ from, trigger, to }) => `${from} ${trigger} ${to}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const state of LIFECYCLE_STATES) expect(transitionsFrom(state, 'due').length).toBeLessThan(2);
  });

  it('has no row out of a final state and a row into every state', () => {
    for (const state of LIFECYCLE_STATES) {
      expect([state, TRANSITIONS.some(({ from }) => from === state)]).toEqual([state, !isFinalState(state)]);
      expect([state, TRANSITIONS.some(({ from, to }) => to === state && from !== state)]).toEqual([state, true]);
    }
  });

  it('cancels orders on leaving OPEN, refunds on CANCELLED, and pays on final decisions', () => {
    for (const { from, to, orders, positions } of TRANSITIONS) {
      if (from === 'OPEN' && to !== 'OPEN') expect(orders).toBe('MARKET_NOT_OPEN');
      const pays = isFinalState(to) ? (to === 'CANCELLED' ? 'REFUND' : 'PAYOUT') : '-';
      expect([to, positions]).toEqual([to, pays]);
    }
  });

  it('throws for a row that it does not have', () => {
    expect(transition('OPEN', 'halt', 'OPEN').note).toBe('halted');
    expect(() => transition('OPEN', 'halt', 'CANCELLED')).toThrow('Invariant: halt cannot lead from OPEN to CANCELLED');
    expect(() => transition(undefined, 'halt', 'OPEN')).toThrow('Invariant: halt cannot lead from nothing to OPEN');
    expect(transitionsFrom('OPEN', 'castVote')).toEqual([]);
  });

  it('lists the commands that need an open market', () => {
    const all = [...new Set(TRANSITIONS.map(({ trigger }) => trigger))];
    expect(all.filter(requiresOpen)).toEqual([
      'closeEarly',
      'voidByCreator',
      'halt',
      'resume',
      'changeTick',
      'changeMinOrder',
    ]);
    expect(requiresOpen('explode' as never)).toBe(false);
  });
});
