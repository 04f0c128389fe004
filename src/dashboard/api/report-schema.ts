/**
 * Schemas of reports and of the audit log. Each received report is checked, because the bot may have another version.
 * Reports have the fields of the API's types in `schema.graphql`; the differences are listed here.
 */
import {
  buildSchema,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { z } from 'zod';
import { DASHBOARD_SDL } from '../generated/schema-sdl.ts';
import type * as Api from '../generated/schema-types.ts';

export const API_SCHEMA = buildApiSchema();

const text = z.string().max(10_000);
const number = z.number();
/** A missing text is null, because earlier versions do not send it. */
const addedText = text.nullable().default(null);
const reconciled = z.enum(['agrees', 'comparing', 'disagrees']);

/** Fields that the dashboard adds. The schemas omit them. */
const ADDED: ReadonlySet<string> = new Set(['Alert.acknowledged', 'Order.bot']);
/** Fields for which bots use other values. */
const OTHER_VALUES: ReadonlyMap<string, z.ZodType> = new Map([['BotState.reconciled', reconciled]]);

export type ReceivedBotReport = Omit<Api.BotState, 'alerts' | 'reconciled'> & {
  readonly reconciled: z.output<typeof reconciled>;
  readonly alerts: readonly Omit<Api.Alert, 'acknowledged'>[];
};
export type ReceivedMarketReport = Omit<Api.Market, 'orders'> & { readonly orders: readonly Omit<Api.Order, 'bot'>[] };

export const botReportSchema = typeSchema<ReceivedBotReport>('BotState');
export const marketReportSchema = typeSchema<ReceivedMarketReport>('Market');

const ORDER_FIELDS = {
  order: number,
  market: text,
  outcome: z.enum(['YES', 'NO']),
  side: z.enum(['BUY', 'SELL']),
  priceBps: number,
  tag: addedText,
};

/** An own order in the answer to the command `orders`. */
export const orderSchema = z.object({ ...ORDER_FIELDS, remaining: number, phase: text, since: number });

export const fillSchema = z.object({
  ...ORDER_FIELDS,
  time: number,
  shares: number,
  fee: number,
  liquidity: z.enum(['maker', 'taker']),
  trade: addedText,
});

export const logLineSchema = typeSchema<Api.LogLine>('LogLine');

/** A line of the audit log. Lines of earlier versions that lack a field of `AuditEntry` are skipped. */
export const auditEntrySchema = typeSchema<Api.AuditEntry>('AuditEntry');

export const commandResultSchema = z.object({ mode: z.enum(['ACTIVE', 'REDUCING', 'PAUSED', 'KILLED']), text });

/** Returns the schema of the API. A value of a subscription's stream is the value of its field. */
function buildApiSchema(): GraphQLSchema {
  const schema = buildSchema(DASHBOARD_SDL);
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {}))
    field.resolve = (value: unknown) => value;
  return schema;
}

/** Returns the schema of an API type. The schema drops unknown fields. */
function typeSchema<Value extends Readonly<Record<string, unknown>>>(name: string): z.ZodType<Value> {
  const type = API_SCHEMA.getType(name);
  if (!isObjectType(type)) throw new Error(`Invariant: ${name} is an object of the API`);
  const fields = Object.values(type.getFields()).filter((field) => !ADDED.has(`${name}.${field.name}`));
  const entries = fields.map((each) => [each.name, OTHER_VALUES.get(`${name}.${each.name}`) ?? fieldSchema(each.type)]);
  return z.object(Object.fromEntries(entries)).pipe(z.custom<Value>());
}

/** Returns the schema of a field. A missing nullable field is null, because earlier versions do not send it. */
function fieldSchema(type: GraphQLType): z.ZodType {
  return isNonNullType(type) ? nonNullSchema(type.ofType) : nonNullSchema(type).nullable().default(null);
}

function nonNullSchema(type: GraphQLType): z.ZodType {
  if (isListType(type)) return z.array(fieldSchema(type.ofType));
  if (isEnumType(type)) return z.enum(type.getValues().map(({ name }) => name));
  if (isObjectType(type)) return typeSchema(type.name);
  switch (type.name) {
    case 'String':
    case 'ID':
      return text;
    case 'Boolean':
      return z.boolean();
    case 'Json':
      return z.unknown();
    default:
      return number;
  }
}
