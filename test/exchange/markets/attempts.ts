/** Actions to try with a market in any state: valid and invalid commands, trades, and the passage of time. */
import { accountNo } from '../../../src/domain/ids.ts';
import { credentialNo, epochMs, marketNo, unchecked } from '../../../src/domain/index.ts';
import type { ChainStep, Decision } from '../../../src/exchange/market-command.ts';
import type { Happening, Life } from './lifecycle-model.ts';

/** A name, and a function that builds the action for the market's current state. */
export type Attempt = readonly [name: string, (life: Life) => Happening];

const DECISIONS: readonly Decision[] = ['YES', 'NO', 'CANCELLED', undefined];
const MODELS = ['a', 'b', 'c', 'd'];
const market = marketNo(0);
const commonMembers = (life: Life) => ({ time: epochMs(life.now), market, note: '' });
const byAccount = (life: Life, account: number) => ({
  time: epochMs(life.now),
  market,
  account: accountNo(account),
  credential: credentialNo(0),
});

export const ATTEMPTS: readonly Attempt[] = [
  ['halt', (life) => ({ type: 'halt', ...commonMembers(life) })],
  ['resume', (life) => ({ type: 'resume', ...commonMembers(life) })],
  ['void by the operator', (life) => ({ type: 'voidMarket', ...commonMembers(life) })],
  ['void by the creator', (life) => ({ type: 'voidByCreator', ...byAccount(life, 1) })],
  ['void by another account', (life) => ({ type: 'voidByCreator', ...byAccount(life, 2) })],
  ['close early', (life) => ({ type: 'closeEarly', ...commonMembers(life) })],
  [
    'move the date',
    (life) => ({ type: 'moveDate', by: 'resolver', resolutionDate: epochMs(life.now + 5000), ...commonMembers(life) }),
  ],
  [
    'move the date to now',
    (life) => ({ type: 'moveDate', by: 'operator', resolutionDate: epochMs(life.now), ...commonMembers(life) }),
  ],
  ...[10, 20, 30].map(
    (tickBps): Attempt => [`tick ${tickBps}`, (life) => ({ type: 'changeTick', tickBps, ...commonMembers(life) })],
  ),
  ...[1_000_000, 2_000_000, -1].map(
    (shares): Attempt => [
      `minimum order ${shares}`,
      (life) => ({ type: 'changeMinOrder', minOrderShares: unchecked.shares(shares), ...commonMembers(life) }),
    ],
  ),
  ...MODELS.flatMap((model) => DECISIONS.map((decision) => vote(model, decision, 0))),
  vote('d', 'YES', -1),
  vote('d', 'YES', 1),
  ...[1, 2, 3].map(
    (account): Attempt => [
      `dispute by ${account}`,
      (life) => ({ type: 'dispute', reason: 'no', ...byAccount(life, account) }),
    ],
  ),
  ['uphold', (life) => ({ type: 'upholdDispute', ...commonMembers(life) })],
  ['retry', (life) => ({ type: 'retryResolution', ...commonMembers(life) })],
  ...(['YES', 'NO', undefined] as const).map(
    (decision): Attempt => [
      `decide ${decision}`,
      (life) => ({ type: 'decideManually', decision, ...commonMembers(life) }),
    ],
  ),
  ...(['DEPLOY', 'REPORT_PAYOUT'] as const).flatMap((step) => [0, -1].flatMap((offset) => answers(step, offset))),
  ['trade', (life) => ({ type: 'trade', time: life.now })],
  ['wait until just before the deadline', (life) => ({ type: 'pass', time: (life.deadline ?? life.now + 1) - 1 })],
  ['wait for the deadline', (life) => ({ type: 'pass', time: life.deadline ?? life.now })],
  ['wait for the safety period', (life) => ({ type: 'pass', time: Math.max(life.manualFrom ?? 0, life.now) })],
  ['wait a day', (life) => ({ type: 'pass', time: life.now + 86_400_000 })],
  [
    'close early, after every deadline',
    (life) => ({ type: 'closeEarly', ...commonMembers({ ...life, now: life.now + 20_000 }) }),
  ],
];

function vote(model: string, decision: Decision, offset: number): Attempt {
  return [
    `vote ${decision} by ${model}, round ${offset}`,
    (life) => {
      const id = `${life.round}-${model}`;
      const details = { confidenceBps: undefined, rationale: `by ${model}`, sources: ['a source'] };
      const round = life.round + offset;
      return { type: 'castVote', round, vote: { id, model, vote: decision, ...details }, ...commonMembers(life) };
    },
  ];
}

function answers(step: ChainStep, offset: number): readonly Attempt[] {
  const question = (life: Life) => ({ step, attempt: life.attempts + offset, ...commonMembers(life) });
  return [
    [
      `${step} confirmed, ${offset}`,
      (life) => ({ type: 'chainConfirmed', transactionHash: '0xab', ...question(life) }),
    ],
    [`${step} failed, ${offset}`, (life) => ({ type: 'chainFailed', permanent: false, ...question(life) })],
    [`${step} failed permanently, ${offset}`, (life) => ({ type: 'chainFailed', permanent: true, ...question(life) })],
  ];
}
