/** Commands about the venue as a whole: mode, configuration, money, snapshots. */

import { z } from 'zod';
import { counted, formatTime, formatUsd, microUsd } from '../../domain/index.ts';
import {
  CONFIG_KEYS,
  configRefusal,
  type ExchangeConfig,
  type Json,
  type Transfer,
  VENUE_MODES,
} from '../../exchange/index.ts';
import { CENT } from '../../protocol/index.ts';
import { durable } from '../registry-rows.ts';
import {
  addressField,
  executeCommand,
  type OperatorCommand,
  OperatorFault,
  operatorCommand,
  operatorQuery,
  refusedByExchange,
  timeField,
} from './command.ts';

/** Of one transfer: a hundred million dollars. */
const MAX_CENTS = 10_000_000_000;

const mode = operatorCommand(
  'Sets what the venue takes: everything, post-only orders, cancels, nothing.',
  z.strictObject({ mode: z.enum(VENUE_MODES).describe('The mode from now on.') }),
  (args, operation) => {
    const { queue } = operation;
    return executeCommand(
      operation,
      () => ({ type: 'setMode', time: queue.now, mode: args.mode }),
      () => ({ mode: queue.view.mode }),
    );
  },
);

const settings = Object.fromEntries(
  CONFIG_KEYS.map((key) => [
    snake(key),
    z.int().optional().describe(`\`${key}\` of the exchange: money in micro-USD, sizes in micro-shares, times in ms.`),
  ]),
);

const configure = operatorCommand(
  'Changes the limits and settings that are given, for all that comes after.',
  z.strictObject(settings),
  (args, operation) => {
    const { queue } = operation;
    const given = new Map(Object.entries(args));
    const config: Partial<ExchangeConfig> = Object.fromEntries(
      CONFIG_KEYS.flatMap((key) => {
        const value = given.get(snake(key));
        return typeof value === 'number' ? [[key, value]] : [];
      }),
    );
    const refusal = configRefusal({ ...queue.view.config, ...config });
    if (refusal !== undefined) {
      throw refusedByExchange({ ...refusal, ...(refusal.field === undefined ? {} : { field: snake(refusal.field) }) });
    }
    return executeCommand(
      operation,
      () => ({ type: 'configure', time: queue.now, config }),
      () => showConfig(queue.view.config),
    );
  },
);

const credit = operatorCommand(
  'Puts play money into an account, or takes it out: what is available bounds what goes out.',
  z.strictObject({
    address: addressField.describe('Of the account; it opens at its first login.'),
    cents: z.int().min(-MAX_CENTS).max(MAX_CENTS).describe('Whole cents; negative to take out.'),
  }),
  (args, operation) => {
    const { queue, transferNames } = operation;
    if (args.cents === 0) throw new OperatorFault(400, 'INVALID', 'cents: expected another number than 0');
    const account = queue.view.accountOf(args.address);
    if (account === 0) {
      const remedy = 'It opens at its first login';
      throw new OperatorFault(404, 'NOT_FOUND', `address: there is no account ${args.address}. ${remedy}`);
    }
    const amount = microUsd(args.cents * CENT);
    const transfer = (): Transfer => ({ type: 'transfer', time: queue.now, account: counted.account(account), amount });
    return executeCommand(
      operation,
      () => transferNames.call(transfer(), args.cents > 0 ? 'DEPOSIT' : 'ADJUSTMENT'),
      () => ({ address: args.address, ...showCash(queue.view.account(account)) }),
    );
  },
);

const notice = operatorCommand(
  'Says something to everybody (`venueStatusChanged`); without arguments it takes that back.',
  z.strictObject({
    message: z.string().min(1).max(1_000).optional().describe('What is said.'),
    next_restart_at: timeField.optional().describe('When the venue will be started anew, ISO 8601 with Z.'),
  }),
  async ({ message, next_restart_at: at }, { announcement, record }) => {
    record();
    await announcement.put(message, at);
    return { message: message ?? null, nextRestartAt: at === undefined ? null : formatTime(at) };
  },
);

const snapshot = operatorCommand(
  'Has a snapshot of the state kept, so that the next start is quick.',
  z.strictObject({}),
  async (_args, { queue, registry, record }) => {
    queue.snapshot();
    record();
    await durable(registry);
    return { asked: true };
  },
);

const status = operatorQuery(
  'Shows mode, configuration, counts and the hash of the state.',
  z.strictObject({}),
  (_args, operation) =>
    operation.queue.read((view) => ({
      mode: view.mode,
      engineSeq: view.seq,
      stateHash: operation.stateHash(),
      accounts: view.accountCount,
      markets: view.markets.length,
      openOrders: view.openOrderCount,
      config: showConfig(view.config),
    })),
);

/** By name. */
export const VENUE_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  mode,
  configure,
  credit,
  notice,
  snapshot,
  status,
};

/** As commands and files name it. */
function showConfig(config: ExchangeConfig): Json {
  return Object.fromEntries(CONFIG_KEYS.map((key) => [snake(key), config[key]]));
}

function showCash(account: { readonly available: number; readonly reserved: number } | undefined): {
  readonly [key: string]: string;
} {
  const { available = 0, reserved = 0 } = account ?? {};
  return { availableUsd: formatUsd(microUsd(available)), reservedUsd: formatUsd(microUsd(reserved)) };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
