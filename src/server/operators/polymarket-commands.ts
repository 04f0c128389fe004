/** Commands for the Polymarket dialect: faults, and actions of users on the simulated chain. */
import { z } from 'zod';
import { DOLLAR, parseTime, parseUsd, SHARE, unchecked } from '../../domain/index.ts';
import type { Json } from '../../exchange/index.ts';
import { POLYMARKET_EXCHANGES } from '../../protocol/polymarket/index.ts';
import { whole } from '../../strategy/index.ts';
import { COUNTED_FAULTS, LASTING_FAULTS } from '../polymarket/faults.ts';
import type { PolymarketApi } from '../polymarket/polymarket-api.ts';
import {
  addressField,
  type CommandContext,
  createTransfer,
  executeCommand,
  findAccount,
  findMarket,
  marketField,
  type OperatorCommand,
  OperatorFault,
  operatorCommand,
  readArgument,
} from './command.ts';

const MAX_PAYMENT = 1_000_000 * DOLLAR;

const fault = operatorCommand(
  'Injects a fault into the Polymarket dialect, for a time or a number of times.',
  z.strictObject({
    fault: z.enum([...LASTING_FAULTS, ...COUNTED_FAULTS]).describe('The fault: see docs/polymarket.md.'),
    for_ms: whole(0, 3_600_000, 5_000, 'How long it lasts, ms; 0 ends it.'),
    times: whole(0, 1_000_000, 1, 'How many times `lose-answer`, `retry` and `fail` happen.'),
  }),
  ({ fault: name, for_ms: forMs, times }, context) => {
    const { faults } = requirePolymarket(context);
    const lastingFault = LASTING_FAULTS.find((candidate) => candidate === name);
    const countedFault = COUNTED_FAULTS.find((candidate) => candidate === name);
    if (lastingFault !== undefined) faults.setLasting(lastingFault, context.queue.now, forMs);
    if (countedFault !== undefined) faults.setCounted(countedFault, times);
    context.record();
    return countedFault === undefined ? { fault: name, forMs } : { fault: name, times };
  },
);

const version = operatorCommand(
  'Sets the version of orders that the Polymarket dialect accepts. It answers orders of the other version with order_version_mismatch.',
  z.strictObject({ version: z.literal([2, 3]).describe('The version, 2 or 3.') }),
  (args, context) => {
    requirePolymarket(context).orderFormat.version = args.version;
    context.record();
    return { version: args.version };
  },
);

const approve = operatorCommand(
  'Approves or revokes the right of exchange contracts to move assets of an address of the Polymarket dialect.',
  z.strictObject({
    address: addressField.describe('Address of the API key.'),
    asset: z.enum(['COLLATERAL', 'CONDITIONAL']).describe('Dollars or outcome tokens.'),
    approved: z.boolean().default(true).describe('False revokes. Default true.'),
    exchange: z.enum(POLYMARKET_EXCHANGES).optional().describe('The exchange contract. Default: all of them.'),
  }),
  ({ address, asset, approved, exchange }, context) => {
    requirePolymarket(context).approvals.set({ address, asset, isApproved: approved, exchange });
    context.record();
    return { address, asset, approved, ...(exchange === undefined ? {} : { exchange }) };
  },
);

const convert = operatorCommand(
  'Splits dollars into pairs of outcome tokens for an account, merges pairs, or redeems a market that has ended.',
  z.strictObject({
    address: addressField.describe('Address of the account.'),
    action: z.enum(['split', 'merge', 'redeem']).describe('What to do.'),
    market: marketField,
    shares: z.number().positive().max(1_000_000_000).default(1).describe('Pairs to split or merge. Default 1.'),
  }),
  ({ address, action, market: name, shares }, context): Promise<Json> => {
    requirePolymarket(context);
    const { queue } = context;
    const account = findAccount(context, address);
    const { number } = findMarket(context, name);
    return executeCommand(
      context,
      () => {
        const fields = { time: queue.now, account, credential: unchecked.credential(0), market: number };
        if (action === 'redeem') return { type: 'claim', ...fields };
        return { type: action, ...fields, shares: unchecked.shares(Math.round(shares * SHARE)) };
      },
      () => {
        const holding = queue.view.holding(account, number);
        return { yesMicroShares: holding?.yes.shares ?? 0, noMicroShares: holding?.no.shares ?? 0 };
      },
    );
  },
);

const pay = operatorCommand(
  'Pays an account of the Polymarket dialect its maker earnings of a day, and records the payment.',
  z.strictObject({
    address: addressField.describe('Address of the account.'),
    market: marketField,
    cause: z.enum(['rebate', 'reward']).describe('Why: a part of takers’ fees, or orders near the mid.'),
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-11-27')
      .describe('The day of the earnings, UTC.'),
    usd: z
      .union([z.string(), z.number()])
      .describe('Dollars with at most six decimals, such as "1.234567". 0 is not paid.'),
    only: z.enum(['cash', 'record']).optional().describe('Only pays, or only changes the records. Default: both.'),
  }),
  ({ address, market: name, cause, date, usd, only }, context): Promise<Json> | Json => {
    const { payments } = requirePolymarket(context);
    const account = findAccount(context, address);
    const { number } = findMarket(context, name);
    const amount = readArgument(() => parseUsd('usd', usd));
    const dayBegin = readArgument(() => parseTime('date', `${date}T00:00:00Z`));
    const problem = 'usd, date: expected an amount from 0 to 1000000, and a day that has begun';
    if (amount < 0 || amount > MAX_PAYMENT || dayBegin > context.queue.now)
      throw new OperatorFault(400, 'INVALID', problem);
    const record = (): void => {
      if (only !== 'cash') payments.put({ address, market: number, cause, date, microUsd: amount });
      context.record();
    };
    const present = (): Json => ({ address, market: name, cause, date, micros: amount });
    if (only === 'record' || amount === 0) {
      record();
      return present();
    }
    return executeCommand({ ...context, record }, () => createTransfer(context, account, amount, 'REBATE'), present);
  },
);

function requirePolymarket({ polymarket }: CommandContext): PolymarketApi {
  if (polymarket !== undefined) return polymarket;
  const remedy = 'Start it with `npx halfspread serve --dialect service,polymarket`';
  throw new OperatorFault(409, 'NO_DIALECT', `this venue does not serve the Polymarket dialect. ${remedy}`);
}

export const POLYMARKET_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  'polymarket-fault': fault,
  'polymarket-order-version': version,
  'polymarket-approve': approve,
  'polymarket-convert': convert,
  'polymarket-pay': pay,
};
