/** Client for an account at a venue, independent of a bot: reads orders, positions and fills, and cancels orders. */
import { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import { NETWORK_LIMITS, readPages } from '../../network/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { UncheckedOperation, VenueHttp } from './venue-http.ts';

const safetySchema = z.object({ openOrderCount: z.int().min(0), orderEpoch: z.string(), mode: z.string() });
const cancelledSchema = z.object({ cancelledIds: z.array(z.string()), newEpoch: z.unknown() });
const orderTerms = {
  marketId: z.string(),
  outcome: z.string(),
  side: z.string(),
  priceBps: z.int(),
  shares: z.number(),
};
const orderSchema = z.object({
  id: z.string(),
  orderHash: z.string(),
  ...orderTerms,
  remainingShares: z.number(),
  status: z.string(),
  createdAt: z.string(),
});
const positionSchema = z.object({
  marketId: z.string(),
  market: z.object({ slug: z.string() }),
  outcome: z.string(),
  shares: z.number(),
  averagePriceBps: z.int(),
  valueCents: z.int(),
  realizedPnlMicros: z.string(),
});
const fillSchema = z.object({
  tradeId: z.string(),
  orderId: z.string(),
  ...orderTerms,
  feeMicros: z.string(),
  role: z.string(),
  seq: z.string(),
  executedAt: z.string(),
});
const marketSchema = z.object({ id: z.string(), slug: z.string() });
const balanceSchema = z.object({ availableMicros: z.string(), reservedMicros: z.string() });
export const healthSchema = z.object({
  status: z.string(),
  mode: z.string(),
  version: z.string(),
  serverTime: z.string(),
});
const pageSchema = z.object({
  edges: z.array(z.object({ node: z.unknown() })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

const PAGE_SIZE = NETWORK_LIMITS.pageNodes;
/** Maximum number of orders in one cancel request. Every venue accepts this many. */
const MAX_CANCELS = 10;
const OPEN_STATUSES = ['LIVE', 'PARTIALLY_FILLED'] as const;

export interface OrderCanceller {
  /** Returns the number of the account's open orders. @throws Fault */
  countOpenOrders(): Promise<number>;
  /** Cancels every order of the account. @returns number of cancelled orders. @throws Fault */
  cancelAll(): Promise<number>;
  /** Cancels only the orders with these hashes. @returns number still open. @throws Fault */
  cancelOrders(hashes: readonly string[]): Promise<number>;
}

export class AccountClient implements OrderCanceller {
  readonly #http: VenueHttp;
  readonly #onEpoch: (epoch: unknown) => void;

  /**
   * @param http logged in
   * @param onEpoch receives the account's new order epoch after `cancelAll`. Each signed order contains the epoch.
   * The venue refuses orders of an earlier epoch (docs/spec/venue.md#cancel-all).
   */
  constructor(http: VenueHttp, onEpoch: (epoch: unknown) => void = () => {}) {
    this.#http = http;
    this.#onEpoch = onEpoch;
  }

  async countOpenOrders(): Promise<number> {
    return (await this.safety()).openOrderCount;
  }

  async cancelAll(): Promise<number> {
    const answer = await this.#http.request(OPERATIONS.cancelAllOrders);
    const { cancelledIds, newEpoch } = parseAnswer(cancelledSchema, answer, 'cancelAllOrders');
    this.#onEpoch(newEpoch);
    return cancelledIds.length;
  }

  async cancelOrders(hashes: readonly string[]): Promise<number> {
    for (let first = 0; first < hashes.length; first += MAX_CANCELS)
      await this.#http.request(OPERATIONS.cancelOrders, { ids: hashes.slice(first, first + MAX_CANCELS) });
    const open = new Set((await this.orders(Number.POSITIVE_INFINITY)).map(({ orderHash }) => orderHash.toLowerCase()));
    return hashes.filter((hash) => open.has(hash)).length;
  }

  async safety() {
    return parseAnswer(safetySchema, await this.#http.request(OPERATIONS.tradingSafety), 'tradingSafety');
  }

  async balance() {
    return parseAnswer(balanceSchema, await this.#http.request(OPERATIONS.balance), 'balance');
  }

  async health() {
    return parseAnswer(healthSchema, await this.#http.request(OPERATIONS.health), 'health');
  }

  orders(max = 1_000) {
    return this.#readAll(OPERATIONS.orders, { statuses: OPEN_STATUSES }, orderSchema, max);
  }

  positions(max = 1_000) {
    return this.#readAll(OPERATIONS.positions, { openOnly: true }, positionSchema, max);
  }

  /** Returns slugs by market id. Omits unknown markets. */
  async slugs(ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const marketIds = [...new Set(ids)];
    const pages = Array.from({ length: Math.ceil(marketIds.length / PAGE_SIZE) }, (_, page) => {
      const filter = { ids: marketIds.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE) };
      return this.#readAll(OPERATIONS.markets, { filter }, marketSchema, PAGE_SIZE);
    });
    return new Map((await Promise.all(pages)).flat().map(({ id, slug }) => [id, slug]));
  }

  /** Returns fills, the newest first. @param since ISO 8601. Default: all fills */
  fills(max = 50, since?: string) {
    return this.#readAll(OPERATIONS.fills, since === undefined ? {} : { since }, fillSchema, max);
  }

  async #readAll<S extends z.ZodType>(operation: UncheckedOperation, input: object, schema: S, max: number) {
    const { field } = operation;
    const readPage = async ({ first, after }: { readonly first: number; readonly after: string | null }) => {
      const page = { ...input, first, ...(after === null ? {} : { after }) };
      return parseAnswer(pageSchema, await this.#http.request(operation, { input: page }), field);
    };
    const nodes = await readPages(field, readPage, max);
    return nodes.map((node) => parseAnswer(schema, node, field));
  }
}

/** @throws Fault VENUE that names the invalid field */
function parseAnswer<S extends z.ZodType>(schema: S, value: unknown, field: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const fieldPath = [field, ...(issue?.path ?? [])].join('.');
  const problem = `the venue's answer is not as expected at ${fieldPath}: ${issue?.message ?? 'unreadable'}`;
  throw new Fault('VENUE', `${problem}. Run \`npx halfspread doctor <config.yaml>\` to compare the schemas`);
}
