/** What a command of the operators is made of. */
import type { z } from 'zod';
import { InputFault } from '../../domain/index.ts';
import type { Archive, ExchangeCommand, ExchangeEvent, Json, MarketRecord, Registry } from '../../exchange/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { TransferNames } from '../transfer-names.ts';
import type { VenueAnnouncement } from '../venue-announcement.ts';
import { OperatorFault, refusedByExchange } from './operator-fault.ts';

/** What commands work on. */
export interface OperatorDeps {
  readonly queue: CommandQueue;
  readonly archive: Pick<Archive, 'market'>;
  readonly registry: Registry;
  readonly catalogue: Catalogue;
  readonly announcement: VenueAnnouncement;
  readonly transferNames: TransferNames;
  stateHash(): string;
  /** A UUID that nobody had. */
  newId(): string;
}

/** One command while it runs. */
export interface Operation extends OperatorDeps {
  /** Writes down that it was carried out: joins the next transaction. */
  record(): void;
}

/** A command. */
export interface OperatorCommand {
  /** One sentence. */
  readonly summary: string;
  readonly schema: z.ZodObject;
  /** Whether it changes something: then it is written down. */
  readonly changes: boolean;
  /** @param given as it came @throws OperatorFault */
  run(given: unknown, operation: Operation): Json | Promise<Json>;
}

/** A command whose arguments are what its schema makes of them. */
export function operatorCommand<Schema extends z.ZodObject>(
  summary: string,
  schema: Schema,
  run: (args: z.output<Schema>, operation: Operation) => Json | Promise<Json>,
): OperatorCommand {
  return { summary, schema, changes: true, run: (given, operation) => run(read(schema, given), operation) };
}

/** In the words that configuration files are refused with. */
function read<Schema extends z.ZodObject>(schema: Schema, given: unknown): z.output<Schema> {
  try {
    return parseStrict(schema, given, '');
  } catch (error) {
    throw error instanceof InputFault ? new OperatorFault(400, 'INVALID', error.message) : error;
  }
}

/** One that only looks. */
export function operatorQuery<Schema extends z.ZodObject>(
  summary: string,
  schema: Schema,
  run: (args: z.output<Schema>, operation: Operation) => Json | Promise<Json>,
): OperatorCommand {
  return { ...operatorCommand(summary, schema, run), changes: false };
}

/**
 * Asks the exchange; the record of the action is in the same transaction.
 * @param command made in its turn
 * @param show made when it is durable
 * @throws OperatorFault when it is refused
 */
export async function executeCommand(
  { queue, record }: Operation,
  command: () => ExchangeCommand,
  show: (events: readonly ExchangeEvent[]) => Json,
): Promise<Json> {
  return queue.run({
    command,
    onApplied: record,
    answer: (events) => {
      for (const event of events) if (event.type === 'refused') throw refusedByExchange(event.refusal);
      return show(events);
    },
  });
}

/** A market by UUID or slug. @throws OperatorFault when there is none */
export function marketCalled({ queue: { view } }: Pick<Operation, 'queue'>, name: string): Readonly<MarketRecord> {
  const market = view.markets.find(({ id }) => id === name.toLowerCase()) ?? view.marketBySlug(name);
  if (market === undefined) throw new OperatorFault(404, 'NOT_FOUND', `market: there is no market "${name}"`);
  return market;
}
