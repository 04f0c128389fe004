/** Commands about one market's life (docs/spec/venue.md#market-states). */
import { z } from 'zod';
import { counted, type EpochMs, marketId, microShares } from '../../domain/index.ts';
import type { CreateMarket, Decision, ExchangeCommand, Json, MarketCommand } from '../../exchange/index.ts';
import { serviceAccount } from '../service-accounts.ts';
import {
  addressField,
  executeCommand,
  marketCalled,
  marketField,
  noteField,
  type Operation,
  type OperatorCommand,
  OperatorFault,
  operatorCommand,
  slugField,
  timeField,
} from './command.ts';

import { marketJson } from './market-json.ts';

type About = { readonly time: EpochMs; readonly market: ReturnType<typeof counted.market>; readonly note: string };

const about = { market: marketField, note: noteField };
const minShares = z.int().min(0).max(1_000_000_000_000_000);
const NO_HASH = `0x${'0'.repeat(64)}`;

/** Sends a command about a market and shows the market afterwards. */
function change(
  operation: Operation,
  { market: name, note }: { readonly market: string; readonly note: string },
  make: (about: About) => ExchangeCommand,
): Promise<Json> {
  const { queue } = operation;
  const { no } = marketCalled(operation, name);
  return executeCommand(
    operation,
    () => make({ time: queue.now, market: no, note }),
    () => marketJson(marketCalled(operation, name), queue.view),
  );
}

/** A command whose only argument is the market. */
function plain(
  summary: string,
  type: 'halt' | 'resume' | 'voidMarket' | 'closeEarly' | 'upholdDispute' | 'retryResolution',
): OperatorCommand {
  return operatorCommand(summary, z.strictObject(about), (args, operation) =>
    change(operation, args, (to): MarketCommand => ({ type, ...to })),
  );
}

/** The chain's step done by hand, for the question that is open. */
function confirm(summary: string, step: 'DEPLOY' | 'REPORT_PAYOUT'): OperatorCommand {
  const transaction_hash = z
    .string()
    .regex(/^0x[0-9a-f]{64}$/, '0x and 64 hex digits')
    .default(NO_HASH)
    .describe('Hash of the transaction. Default: none.');
  return operatorCommand(summary, z.strictObject({ ...about, transaction_hash }), (args, operation) => {
    const { attempts: attempt } = marketCalled(operation, args.market);
    const transactionHash = args.transaction_hash;
    return change(operation, args, (to) => ({ type: 'chainConfirmed', ...to, step, attempt, transactionHash }));
  });
}

const create = operatorCommand(
  'Creates a market. It opens when the chain has deployed it, or with `open-market`.',
  z.strictObject({
    id: z
      .guid()
      .optional()
      .describe('UUID of the market. Repeating the same input returns the same market. Default: a new UUID.'),
    question: z.string().min(1).describe('The question.'),
    rules: z.string().min(1).describe('How the market is resolved.'),
    description: z.string().optional().describe('Longer description.'),
    category: slugField.describe('Slug of its category.'),
    topics: z.array(slugField).max(20).default([]).describe('Slugs of its topics.'),
    resolution_date: timeField.describe('When trading ends and resolution begins, ISO 8601 with Z.'),
    tick_bps: z.int().optional().describe('Price step, bps; a divisor of 10000. Default: the configured one.'),
    fee_rate_bps: z.int().optional().describe("Takers' fee rate, bps. Default: the configured one."),
    min_order_micro_shares: minShares.optional().describe('Smallest BUY, micro-shares. Default: the configured one.'),
    event_id: z.string().optional().describe('Id of an event that several markets share.'),
    creator: addressField.optional().describe('Address of the account that creates it. Default: the operator.'),
  }),
  async (args, operation) => {
    const { queue, catalogue, newId } = operation;
    if (catalogue.category(args.category)?.isActive !== true) throw unknown('category', args.category, 'put-category');
    for (const slug of args.topics) {
      if (catalogue.topic(slug)?.categorySlug !== args.category) throw unknown('topics', slug, 'put-topic');
    }
    const account =
      args.creator === undefined ? await serviceAccount(queue, 'operator') : accountOf(operation, args.creator);
    const id = marketId(args.id ?? newId());
    const min = args.min_order_micro_shares;
    const said: Omit<CreateMarket, 'time'> = {
      type: 'createMarket',
      account,
      credential: counted.credential(0),
      id,
      question: args.question,
      rules: args.rules,
      description: args.description,
      categorySlug: args.category,
      topicSlugs: args.topics,
      resolutionDate: args.resolution_date,
      tickBps: args.tick_bps,
      feeRateBps: args.fee_rate_bps,
      minOrderShares: min === undefined ? undefined : microShares(min),
      eventId: args.event_id,
      initialOrder: undefined,
      restriction: undefined,
    };
    return executeCommand(
      operation,
      () => ({ ...said, time: queue.now }),
      () => marketJson(marketCalled(operation, id), queue.view),
    );
  },
);

const VOTES = { YES: 'YES', NO: 'NO', UNCERTAIN: undefined, CANCELLED: 'CANCELLED' } as const;

const vote = operatorCommand(
  'Votes in the current round, in the name of a model of the panel.',
  z.strictObject({
    ...about,
    model: z.string().min(1).max(100).describe('Name of the model. A model votes once per round.'),
    vote: z
      .enum(['YES', 'NO', 'UNCERTAIN', 'CANCELLED'])
      .describe('The vote. CANCELLED means that the question is invalid.'),
    confidence_bps: z.int().min(0).max(10_000).optional().describe('Confidence of the model, bps.'),
    rationale: z.string().max(10_000).default('').describe('Reasons for the vote.'),
    sources: z.array(z.string().max(2_000)).max(100).default([]).describe('Sources, such as URLs.'),
  }),
  (args, operation) => {
    const { round } = marketCalled(operation, args.market);
    const { model, confidence_bps: confidenceBps, rationale, sources } = args;
    const decision: Decision = VOTES[args.vote];
    const id = operation.newId();
    const cast = { id, model, vote: decision, confidenceBps, rationale, sources };
    return change(operation, args, (to) => ({ type: 'castVote', ...to, round, vote: cast }));
  },
);

const resolve = operatorCommand(
  'Resolves a market by hand after its resolution failed and the safety period is over.',
  z.strictObject({
    ...about,
    decision: z.enum(['YES', 'NO', 'UNCERTAIN']).describe('The outcome. UNCERTAIN pays half to each side.'),
  }),
  (args, operation) =>
    change(operation, args, (to) => ({ type: 'decideManually', ...to, decision: VOTES[args.decision] })),
);

const moveDate = operatorCommand(
  'Moves the resolution date. A market in PENDING_RESOLUTION opens again.',
  z.strictObject({ ...about, resolution_date: timeField.describe('New resolution date, ISO 8601 with Z.') }),
  (args, operation) =>
    change(operation, args, (to) => ({
      type: 'moveDate',
      ...to,
      by: 'operator',
      resolutionDate: args.resolution_date,
    })),
);

const changeTick = operatorCommand(
  'Changes the price step of an open market and cancels its orders (TICK_CHANGED).',
  z.strictObject({ ...about, tick_bps: z.int().describe('New price step, bps; a divisor of 10000.') }),
  (args, operation) => change(operation, args, (to) => ({ type: 'changeTick', ...to, tickBps: args.tick_bps })),
);

const changeMinimum = operatorCommand(
  'Changes the smallest BUY of an open market. Resting orders stay.',
  z.strictObject({ ...about, min_order_micro_shares: minShares.describe('New smallest BUY, micro-shares.') }),
  (args, operation) => {
    const minOrderShares = microShares(args.min_order_micro_shares);
    return change(operation, args, (to) => ({ type: 'changeMinOrder', ...to, minOrderShares }));
  },
);

const failChain = operatorCommand(
  'Reports that the chain failed at the step that a market waits for.',
  z.strictObject({
    ...about,
    permanent: z
      .boolean()
      .default(true)
      .describe('Whether the failure is final. With false the chain tries again. Default true.'),
  }),
  (args, operation) => {
    const { step = 'DEPLOY', attempts: attempt } = marketCalled(operation, args.market);
    return change(operation, args, (to) => ({ type: 'chainFailed', ...to, step, attempt, permanent: args.permanent }));
  },
);

/** By name. */
export const MARKET_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'create-market': create,
  'open-market': confirm('Opens a market that waits for its deployment, in place of the chain.', 'DEPLOY'),
  'report-payout': confirm('Reports the payout of a market that waits for it, in place of the chain.', 'REPORT_PAYOUT'),
  'fail-chain': failChain,
  halt: plain('Halts an open market: cancels its orders and refuses new ones until `resume`.', 'halt'),
  resume: plain('Resumes a halted market.', 'resume'),
  'close-early': plain('Closes an open market before its date. Its resolution begins.', 'closeEarly'),
  vote,
  resolve,
  void: plain('Voids a market and refunds all payments and fees.', 'voidMarket'),
  'move-date': moveDate,
  'change-tick': changeTick,
  'change-minimum': changeMinimum,
  'uphold-dispute': plain('Upholds a dispute. A new round of voting begins.', 'upholdDispute'),
  retry: plain('Tries a failed resolution again.', 'retryResolution'),
};

function accountOf({ queue: { view } }: Operation, address: string): ReturnType<typeof counted.account> {
  const account = view.accountOf(address);
  if (account === 0) throw new OperatorFault(404, 'NOT_FOUND', `creator: there is no account ${address}`);
  return counted.account(account);
}

function unknown(field: string, slug: string, remedy: string): OperatorFault {
  return new OperatorFault(404, 'NOT_FOUND', `${field}: there is no "${slug}" here. Make it with ${remedy}`);
}
