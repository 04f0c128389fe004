/**
 * Schemas of reports. Each received report is checked, as the bot may have another version. Reports have the fields of the
 * API's types in `schema.graphql`, except for those named here.
 */
import { buildSchema, type GraphQLType, isEnumType, isListType, isNonNullType, isObjectType } from 'graphql';
import { z } from 'zod';
import { DASHBOARD_SDL } from '../generated/schema-sdl.ts';
import type * as Api from '../generated/schema-types.ts';

export const API_SCHEMA = buildSchema(DASHBOARD_SDL);

const text = z.string().max(10_000);
const maybeText = text.nullable();
const figure = z.number();
const reconciled = z.enum(['agrees', 'comparing', 'disagrees']);

/** Fields that the dashboard adds. */
const ADDED: ReadonlySet<string> = new Set(['Alert.acknowledged', 'Order.bot']);
/** Fields for which bots use other values. */
const OTHERS: ReadonlyMap<string, z.ZodType> = new Map([['BotState.reconciled', reconciled]]);

export type BotSays = Omit<Api.BotState, 'alerts' | 'reconciled'> & {
  readonly reconciled: z.output<typeof reconciled>;
  readonly alerts: readonly Omit<Api.Alert, 'acknowledged'>[];
};
export type MarketSays = Omit<Api.Market, 'orders'> & { readonly orders: readonly Omit<Api.Order, 'bot'>[] };

export const botReportSchema = form<BotSays>('BotState');
export const marketReportSchema = form<MarketSays>('Market');

/** An own order in the answer to the command `orders`. */
export const orderSchema = z.object({
  order: figure,
  market: text,
  outcome: z.enum(['YES', 'NO']),
  side: z.enum(['BUY', 'SELL']),
  priceBps: figure,
  remaining: figure,
  phase: text,
  since: figure,
  tag: maybeText,
});

export const fillSchema = z.object({
  time: figure,
  order: figure,
  market: text,
  outcome: z.enum(['YES', 'NO']),
  side: z.enum(['BUY', 'SELL']),
  priceBps: figure,
  shares: figure,
  fee: figure,
  liquidity: z.enum(['maker', 'taker']),
  trade: maybeText,
  tag: maybeText,
});

export const logLineSchema = z.intersection(form<Api.LogLine>('LogLine'), z.object({ seq: figure }));

export const resultSchema = z.object({ mode: z.enum(['ACTIVE', 'REDUCING', 'PAUSED', 'KILLED']), text });

/** Schema of a type of the API. Drops unknown fields. */
function form<Value extends Readonly<Record<string, unknown>>>(name: string): z.ZodType<Value> {
  const type = API_SCHEMA.getType(name);
  if (!isObjectType(type)) throw new Error(`Invariant: ${name} is an object of the API`);
  const fields = Object.values(type.getFields()).filter((field) => !ADDED.has(`${name}.${field.name}`));
  const entries = fields.map((field) => [field.name, OTHERS.get(`${name}.${field.name}`) ?? formOf(field.type)]);
  return z.object(Object.fromEntries(entries)).pipe(z.custom<Value>());
}

function formOf(type: GraphQLType): z.ZodType {
  return isNonNullType(type) ? presentForm(type.ofType) : presentForm(type).nullable();
}

function presentForm(type: GraphQLType): z.ZodType {
  if (isListType(type)) return z.array(formOf(type.ofType));
  if (isEnumType(type)) return z.enum(type.getValues().map(({ name }) => name));
  if (isObjectType(type)) return form(type.name);
  switch (type.name) {
    case 'String':
    case 'ID':
      return text;
    case 'Boolean':
      return z.boolean();
    case 'Json':
      return z.unknown();
    default:
      return figure;
  }
}
