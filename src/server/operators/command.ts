/** Functions, errors and fields that operator commands share. */
import { z } from 'zod';
import { type AccountNo, Fault, InputFault, type MicroUsd, parseTime, unchecked } from '../../domain/index.ts';
import type {
  Archive,
  ExchangeCommand,
  ExchangeEvent,
  Json,
  MarketRecord,
  Refusal,
  Registry,
  Transfer,
  TransferKind,
} from '../../exchange/index.ts';
import { isoTime, parseStrict } from '../../strategy/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { PolymarketApi } from '../polymarket/polymarket-api.ts';
import type { VenueAnnouncement } from '../venue-announcement.ts';

export interface OperatorDeps {
  readonly queue: CommandQueue;
  readonly archive: Pick<Archive, 'market'>;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly announcement: VenueAnnouncement;
  /** Kinds of transfers. A transfer without an entry is a deposit or a withdrawal, by the amount's sign. */
  readonly transferKinds: WeakMap<Transfer, TransferKind>;
  /** Undefined when the venue does not serve the Polymarket dialect. */
  readonly polymarket: PolymarketApi | undefined;
  stateHash(): string;
}

/** What a command can use while it runs. */
export interface CommandContext extends OperatorDeps {
  /** Adds the command to the operators' log, in the next transaction. */
  record(): void;
}

export interface OperatorCommand {
  readonly summary: string;
  readonly schema: z.ZodObject;
  /** Whether the command changes something. The operators' log records only these commands. */
  readonly hasEffect: boolean;
  /** @param input unvalidated arguments @throws OperatorFault */
  run(input: unknown, context: CommandContext): Json | Promise<Json>;
}

export function operatorCommand<Schema extends z.ZodObject>(
  summary: string,
  schema: Schema,
  run: (args: z.output<Schema>, context: CommandContext) => Json | Promise<Json>,
): OperatorCommand {
  return {
    summary,
    schema,
    hasEffect: true,
    run: (input, context) => {
      const args = readArgument(() => parseStrict(schema, input, ''));
      return run(args, context);
    },
  };
}

/** Returns the result of `read`. @throws OperatorFault with the message of an InputFault */
export function readArgument<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputFault ? new OperatorFault(400, 'INVALID', error.message) : error;
  }
}

export function operatorQuery<Schema extends z.ZodObject>(
  ...command: Parameters<typeof operatorCommand<Schema>>
): OperatorCommand {
  return { ...operatorCommand(...command), hasEffect: false };
}

/**
 * Executes a command at the exchange, and records the action in the same transaction.
 * @param command called when the queue reaches the command
 * @param present creates the result, when the command is durable
 * @throws OperatorFault when the exchange refuses
 */
export async function executeCommand(
  { queue, record }: CommandContext,
  command: () => ExchangeCommand,
  present: (events: readonly ExchangeEvent[]) => Json,
): Promise<Json> {
  return queue.run({
    command,
    onApplied: record,
    answer: (events) => {
      for (const event of events) if (event.type === 'refused') throw toOperatorFault(event.refusal);
      return present(events);
    },
  });
}

/** @param name UUID or slug @throws OperatorFault for an unknown market */
export function findMarket({ queue: { view } }: Pick<CommandContext, 'queue'>, name: string): Readonly<MarketRecord> {
  const market = view.markets.find(({ id }) => id === name.toLowerCase()) ?? view.marketBySlug(name);
  if (market === undefined) throw new OperatorFault(404, 'NOT_FOUND', `market: there is no market "${name}"`);
  return market;
}

interface FindAccountOptions {
  /** Name of the argument, for the error. */
  readonly field: string;
  /** End of the error's message. */
  readonly remedy: string;
}

/** @throws OperatorFault for an address without an account */
export function findAccount(
  { queue }: Pick<CommandContext, 'queue'>,
  address: string,
  { field, remedy }: FindAccountOptions = { field: 'address', remedy: '' },
): AccountNo {
  const account = queue.view.accountOf(address);
  if (account !== 0) return unchecked.account(account);
  throw new OperatorFault(404, 'NOT_FOUND', `${field}: there is no account ${address}${remedy}`);
}

export function createTransfer(
  { queue, transferKinds }: CommandContext,
  account: AccountNo,
  amount: MicroUsd,
  kind: TransferKind,
): Transfer {
  const transfer: Transfer = { type: 'transfer', time: queue.now, account, amount };
  transferKinds.set(transfer, kind);
  return transfer;
}

/** A failed operator command. The message names the wrong field, if any. */
export class OperatorFault extends Fault {
  readonly status: number;
  readonly refusal: Refusal | undefined;

  constructor(status: number, code: string, message: string, refusal?: Refusal) {
    super(code, message);
    this.name = 'OperatorFault';
    this.status = status;
    this.refusal = refusal;
  }
}

export function toOperatorFault(refusal: Refusal): OperatorFault {
  const { reason, field, limit, value, unit } = refusal;
  const about = field === undefined ? '' : `, ${field}`;
  let detail = '';
  if (limit !== undefined) detail = `: got ${value}, limit ${limit} ${(unit ?? '').toLowerCase()}`;
  else if (reason === 'CONFLICT' && field === 'marketId') detail = ': the state of the market does not allow this';
  return new OperatorFault(409, reason, `the exchange refuses (${reason}${about})${detail}`, refusal);
}

export const marketField = z.string().min(1).describe("The market's UUID or slug.");
export const noteField = z
  .string()
  .max(1_000)
  .default('')
  .describe(
    "Text for the market's transparency record. halt, resume, change-tick and change-minimum add no step to that record: their text is only the `reason` of `marketStatusChanged`. Default: the note in the table of transitions.",
  );
/** ISO 8601 with `Z`. */
export const timeField = isoTime.transform((text) => parseTime('time', text));
export const slugField = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug: lower-case words joined by hyphens');
export const addressField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((text) => text.toLowerCase());
