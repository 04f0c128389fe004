/** Commands for the whole venue: mode, configuration, money, snapshots, categories and topics. */
import { z } from 'zod';
import { formatTime, formatUsd, microUsd, VENUE_MODES } from '../../domain/index.ts';
import { CONFIG_KEYS, configRefusal, type ExchangeConfig, type Json } from '../../exchange/index.ts';
import { CENT } from '../../protocol/index.ts';
import { syncRegistry } from '../registry-rows.ts';
import { newUuid } from '../wire-ids.ts';
import {
  addressField,
  createTransfer,
  executeCommand,
  findAccount,
  type OperatorCommand,
  OperatorFault,
  operatorCommand,
  operatorQuery,
  slugField,
  timeField,
  toOperatorFault,
} from './command.ts';

/** A hundred million dollars per transfer. */
const MAX_CENTS = 10_000_000_000;

const mode = operatorCommand(
  'Sets what the venue accepts: everything, post-only orders, cancels or nothing.',
  z.strictObject({ mode: z.enum(VENUE_MODES).describe('The new mode.') }),
  (args, context) => {
    const { queue } = context;
    return executeCommand(
      context,
      () => ({ type: 'setMode', time: queue.now, mode: args.mode }),
      () => ({ mode: queue.view.mode }),
    );
  },
);

const settings = Object.fromEntries(
  CONFIG_KEYS.map((key) => [
    toSnakeCase(key),
    z.int().optional().describe(`\`${key}\` of the exchange. Money in micro-USD, sizes in micro-shares, times in ms.`),
  ]),
);

const configure = operatorCommand(
  'Changes the given limits and settings of the exchange.',
  z.strictObject(settings),
  (args, context) => {
    const { queue } = context;
    const values: Readonly<Record<string, number | undefined>> = args;
    const entries = CONFIG_KEYS.map((key) => [key, values[toSnakeCase(key)]] as const);
    const config: Partial<ExchangeConfig> = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    const refusal = configRefusal({ ...queue.view.config, ...config });
    if (refusal !== undefined) {
      const { field } = refusal;
      throw toOperatorFault(field === undefined ? refusal : { ...refusal, field: toSnakeCase(field) });
    }
    return executeCommand(
      context,
      () => ({ type: 'configure', time: queue.now, config }),
      () => configJson(queue.view.config),
    );
  },
);

const credit = operatorCommand(
  'Adds play money to an account, or removes available money.',
  z.strictObject({
    address: addressField.describe('Address of the account. An account opens at its first login.'),
    cents: z.int().min(-MAX_CENTS).max(MAX_CENTS).describe('Whole cents, not 0. Negative to remove money.'),
  }),
  (args, context) => {
    if (args.cents === 0) throw new OperatorFault(400, 'INVALID', 'cents: expected a number other than 0');
    const notFound = { field: 'address', remedy: '. An account opens at its first login' };
    const account = findAccount(context, args.address, notFound);
    const amount = microUsd(args.cents * CENT);
    return executeCommand(
      context,
      () => createTransfer(context, account, amount, args.cents > 0 ? 'DEPOSIT' : 'ADJUSTMENT'),
      () => {
        const { available = 0, reserved = 0 } = context.queue.view.account(account) ?? {};
        const cash = { availableUsd: formatUsd(microUsd(available)), reservedUsd: formatUsd(microUsd(reserved)) };
        return { address: args.address, ...cash };
      },
    );
  },
);

const notice = operatorCommand(
  'Publishes an announcement (`venueStatusChanged`). Without arguments, withdraws it.',
  z.strictObject({
    message: z.string().min(1).max(1_000).optional().describe('Text of the announcement.'),
    next_restart_at: timeField.optional().describe('Time of the next restart, ISO 8601 with Z.'),
  }),
  async ({ message, next_restart_at: at }, { announcement, record }) => {
    record();
    await announcement.put(message, at);
    return { message: message ?? null, nextRestartAt: at === undefined ? null : formatTime(at) };
  },
);

const snapshot = operatorCommand(
  'Stores a snapshot of the state, so that the next start is fast.',
  z.strictObject({}),
  async (_args, { queue, registry, record }) => {
    queue.snapshot();
    record();
    await syncRegistry(registry);
    return { asked: true };
  },
);

const status = operatorQuery(
  'Shows mode, configuration, counts and the hash of the state.',
  z.strictObject({}),
  (_args, context) =>
    context.queue.read((view) => ({
      mode: view.mode,
      engineSeq: view.seq,
      stateHash: context.stateHash(),
      accounts: view.accountCount,
      markets: view.markets.length,
      openOrders: view.openOrderCount,
      config: configJson(view.config),
    })),
);

const nameField = z.string().trim().min(1).max(200).describe('Displayed name.');

const putCategory = operatorCommand(
  'Creates a category, renames it or hides it.',
  z.strictObject({
    slug: slugField.describe('Slug of the category.'),
    name: nameField,
    active: z.boolean().default(true).describe('Whether it is listed and accepts new markets. Default true.'),
  }),
  async ({ active, ...fields }, { catalogue, record }) => {
    const category = { ...fields, isActive: active };
    record();
    await catalogue.putCategory(category);
    return category;
  },
);

const putTopic = operatorCommand(
  'Creates a topic or renames it. A topic keeps its category.',
  z.strictObject({
    slug: slugField.describe('Slug of the topic.'),
    name: nameField,
    category: slugField.describe('Slug of its category.'),
  }),
  async ({ category, ...fields }, { catalogue, record }) => {
    if (catalogue.category(category) === undefined)
      throw new OperatorFault(404, 'NOT_FOUND', `category: there is no "${category}". Create it with put-category`);
    const existing = catalogue.topic(fields.slug);
    if (existing !== undefined && existing.categorySlug !== category)
      throw new OperatorFault(409, 'CONFLICT', `category: "${fields.slug}" is a topic of "${existing.categorySlug}"`);
    const topic = { ...fields, id: existing?.id ?? newUuid(), categorySlug: category };
    record();
    await catalogue.putTopic(topic);
    return topic;
  },
);

export const VENUE_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  mode,
  configure,
  credit,
  notice,
  snapshot,
  status,
  'put-category': putCategory,
  'put-topic': putTopic,
};

function configJson(config: ExchangeConfig): Json {
  return Object.fromEntries(CONFIG_KEYS.map((key) => [toSnakeCase(key), config[key]]));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
