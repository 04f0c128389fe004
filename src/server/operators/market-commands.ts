/** Operator commands that create a market and change its state (docs/spec/venue.md#market-states). */
import { z } from 'zod';
import { type EpochMs, type MarketNo, marketId, microShares, unchecked } from '../../domain/index.ts';
import type { CreateMarket, Decision, ExchangeCommand, Json, MarketCommand } from '../../exchange/index.ts';
import { openServiceAccount } from '../service-accounts.ts';
import { newUuid } from '../wire-ids.ts';
import {
  addressField,
  type CommandContext,
  executeCommand,
  findAccount,
  findMarket,
  marketField,
  noteField,
  type OperatorCommand,
  OperatorFault,
  operatorCommand,
  slugField,
  timeField,
} from './command.ts';
import { marketJson } from './list-commands.ts';

const marketFields = { market: marketField, note: noteField };
const minSharesField = z.int().min(0).max(1_000_000_000_000_000);
const NO_HASH = `0x${'0'.repeat(64)}`;

/** Executes a command for a market. @returns the market after the command */
function executeForMarket(
  context: CommandContext,
  { market: name, note }: { readonly market: string; readonly note: string },
  createCommand: (fields: { time: EpochMs; market: MarketNo; note: string }) => ExchangeCommand,
): Promise<Json> {
  const { queue } = context;
  const { number } = findMarket(context, name);
  return executeCommand(
    context,
    () => createCommand({ time: queue.now, market: number, note }),
    () => marketJson(findMarket(context, name), queue.view),
  );
}

function marketOnlyCommand(
  summary: string,
  type: 'halt' | 'resume' | 'voidMarket' | 'closeEarly' | 'upholdDispute' | 'retryResolution',
): OperatorCommand {
  return operatorCommand(summary, z.strictObject(marketFields), (args, context) =>
    executeForMarket(context, args, (fields): MarketCommand => ({ type, ...fields })),
  );
}

/** Creates a command that confirms the chain step for which a market waits. */
function chainCommand(summary: string, step: 'DEPLOY' | 'REPORT_PAYOUT'): OperatorCommand {
  const transaction_hash = z
    .string()
    .regex(/^0x[0-9a-f]{64}$/, '0x and 64 hex digits')
    .default(NO_HASH)
    .describe('Hash of the transaction. Default: none.');
  return operatorCommand(summary, z.strictObject({ ...marketFields, transaction_hash }), (args, context) => {
    const { attempts: attempt } = findMarket(context, args.market);
    const confirmation = { type: 'chainConfirmed', step, attempt, transactionHash: args.transaction_hash } as const;
    return executeForMarket(context, args, (fields) => ({ ...fields, ...confirmation }));
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
    min_order_micro_shares: minSharesField
      .optional()
      .describe('Smallest BUY, micro-shares. Default: the configured one.'),
    event_id: z.string().optional().describe('Id of an event that several markets share.'),
    creator: addressField.optional().describe('Address of the account that creates it. Default: the operator.'),
  }),
  async (args, context) => {
    const { queue, catalogue } = context;
    if (catalogue.category(args.category)?.isActive !== true)
      throw unknownSlug('category', args.category, 'put-category');
    for (const slug of args.topics)
      if (catalogue.topic(slug)?.categorySlug !== args.category) throw unknownSlug('topics', slug, 'put-topic');
    const account =
      args.creator === undefined
        ? await openServiceAccount(queue, 'operator')
        : findAccount(context, args.creator, { field: 'creator', remedy: '' });
    const id = marketId(args.id ?? newUuid());
    const minShares = args.min_order_micro_shares;
    const market: Omit<CreateMarket, 'time'> = {
      type: 'createMarket',
      account,
      credential: unchecked.credential(0),
      id,
      question: args.question,
      rules: args.rules,
      description: args.description,
      categorySlug: args.category,
      topicSlugs: args.topics,
      resolutionDate: args.resolution_date,
      tickBps: args.tick_bps,
      feeRateBps: args.fee_rate_bps,
      minOrderShares: minShares === undefined ? undefined : microShares(minShares),
      eventId: args.event_id,
      initialOrder: undefined,
      restriction: undefined,
    };
    return executeCommand(
      context,
      () => ({ ...market, time: queue.now }),
      () => marketJson(findMarket(context, id), queue.view),
    );
  },
);

const VOTES = { YES: 'YES', NO: 'NO', UNCERTAIN: undefined, CANCELLED: 'CANCELLED' } as const;

const vote = operatorCommand(
  'Votes in the current round as a model of the panel.',
  z.strictObject({
    ...marketFields,
    model: z.string().min(1).max(100).describe('Name of the model. A model votes once per round.'),
    vote: z
      .enum(['YES', 'NO', 'UNCERTAIN', 'CANCELLED'])
      .describe('The vote. CANCELLED means that the question is invalid.'),
    confidence_bps: z.int().min(0).max(10_000).optional().describe('Confidence of the model, bps.'),
    rationale: z.string().max(10_000).default('').describe('Reasons for the vote.'),
    sources: z.array(z.string().max(2_000)).max(100).default([]).describe('Sources, such as URLs.'),
  }),
  (args, context) => {
    const { round } = findMarket(context, args.market);
    const { model, confidence_bps: confidenceBps, rationale, sources } = args;
    const decision: Decision = VOTES[args.vote];
    const cast = { id: newUuid(), model, vote: decision, confidenceBps, rationale, sources };
    return executeForMarket(context, args, (fields) => ({ type: 'castVote', ...fields, round, vote: cast }));
  },
);

const resolve = operatorCommand(
  'Resolves a market by hand after its resolution failed and the safety period is over.',
  z.strictObject({
    ...marketFields,
    decision: z.enum(['YES', 'NO', 'UNCERTAIN']).describe('The outcome. UNCERTAIN pays half to each side.'),
  }),
  (args, context) => {
    const decision = VOTES[args.decision];
    return executeForMarket(context, args, (fields) => ({ type: 'decideManually', ...fields, decision }));
  },
);

const moveDate = operatorCommand(
  'Moves the resolution date. A market in PENDING_RESOLUTION opens again.',
  z.strictObject({ ...marketFields, resolution_date: timeField.describe('New resolution date, ISO 8601 with Z.') }),
  (args, context) => {
    const move = { type: 'moveDate', by: 'operator', resolutionDate: args.resolution_date } as const;
    return executeForMarket(context, args, (fields) => ({ ...fields, ...move }));
  },
);

const changeTick = operatorCommand(
  'Changes the price step of an open market and cancels its orders (TICK_CHANGED).',
  z.strictObject({ ...marketFields, tick_bps: z.int().describe('New price step, bps; a divisor of 10000.') }),
  (args, context) =>
    executeForMarket(context, args, (fields) => ({ type: 'changeTick', ...fields, tickBps: args.tick_bps })),
);

const changeMinimum = operatorCommand(
  'Changes the smallest BUY of an open market. Resting orders stay.',
  z.strictObject({
    ...marketFields,
    min_order_micro_shares: minSharesField.describe('New smallest BUY, micro-shares.'),
  }),
  (args, context) => {
    const minOrderShares = microShares(args.min_order_micro_shares);
    return executeForMarket(context, args, (fields) => ({ type: 'changeMinOrder', ...fields, minOrderShares }));
  },
);

const failChain = operatorCommand(
  'Reports that the chain failed at the step that a market waits for.',
  z.strictObject({
    ...marketFields,
    permanent: z
      .boolean()
      .default(true)
      .describe('Whether the failure is final. With false the chain tries again. Default true.'),
  }),
  (args, context) => {
    const { chainStep: step = 'DEPLOY', attempts: attempt } = findMarket(context, args.market);
    const failure = { type: 'chainFailed', step, attempt, permanent: args.permanent } as const;
    return executeForMarket(context, args, (fields) => ({ ...fields, ...failure }));
  },
);

export const MARKET_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'create-market': create,
  'open-market': chainCommand('Opens a market that waits for its deployment, in place of the chain.', 'DEPLOY'),
  'report-payout': chainCommand(
    'Reports the payout of a market that waits for it, in place of the chain.',
    'REPORT_PAYOUT',
  ),
  'fail-chain': failChain,
  halt: marketOnlyCommand('Halts an open market: cancels its orders and refuses new ones until `resume`.', 'halt'),
  resume: marketOnlyCommand('Resumes a halted market.', 'resume'),
  'close-early': marketOnlyCommand('Closes an open market before its date. Its resolution begins.', 'closeEarly'),
  vote,
  resolve,
  void: marketOnlyCommand('Voids a market and refunds all payments and fees.', 'voidMarket'),
  'move-date': moveDate,
  'change-tick': changeTick,
  'change-minimum': changeMinimum,
  'uphold-dispute': marketOnlyCommand('Upholds a dispute. A new round of voting begins.', 'upholdDispute'),
  retry: marketOnlyCommand('Tries a failed resolution again.', 'retryResolution'),
};

function unknownSlug(field: string, slug: string, remedy: string): OperatorFault {
  return new OperatorFault(404, 'NOT_FOUND', `${field}: there is no "${slug}" here. Create it with ${remedy}`);
}
