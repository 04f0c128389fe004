/** A venue with a real command queue, exchange and database, and stubs for callers, rate limits and delegates. */

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { SimClock, secureBytes } from '../../../../src/clock/index.ts';
import { accountNo } from '../../../../src/domain/ids.ts';
import { epochMs, type MarketNo, marketId, microUsd } from '../../../../src/domain/index.ts';
import {
  type CreateMarket,
  DurableExchange,
  Exchange,
  type ExchangeCommand,
  type ExchangeEvent,
  Projector,
} from '../../../../src/exchange/index.ts';
import type { SignedOrder } from '../../../../src/protocol/generated/schema-types.ts';
import { type Operation, venueSchema } from '../../../../src/protocol/index.ts';
import { recordingBooks } from '../../../../src/replay/index.ts';
import { Catalogue } from '../../../../src/server/catalogue.ts';
import { CommandQueue } from '../../../../src/server/command-queue.ts';
import type { OperationContext } from '../../../../src/server/graphql/context.ts';
import { GraphqlService } from '../../../../src/server/graphql/service.ts';
import { MarketIndex } from '../../../../src/server/market-index.ts';
import { Cursors } from '../../../../src/server/paging/cursors.ts';
import { MarketViewCache } from '../../../../src/server/presenters/market-presenter.ts';
import type { ResolverDeps } from '../../../../src/server/resolvers/deps.ts';
import { tradingResolvers } from '../../../../src/server/resolvers/resolvers.ts';
import { WireIds } from '../../../../src/server/wire-ids.ts';
import type { Hex, Signer, SigningKey } from '../../../../src/signing/index.ts';
import { SqliteStore } from '../../../../src/store/index.ts';
import { afterThisTest } from '../../../cleanup.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { openMessages } from '../../../signing/harness.ts';
import { ALL_SCOPES, stubResolvers } from '../../graphql/stub-venue.ts';
import { LateJournal } from '../../late-journal.ts';
import { creationCommand, DAY } from '../public/commands.ts';
import { NO_DELAYS } from '../public/deps.ts';
import { type OrderRequest, orderSigner } from './signed-orders.ts';
import { type Stubs, stubAccess, stubBuckets } from './stubs.ts';

export const START = 1_800_000_000_000;

/** A trader with a key and an account. */
export interface Trader {
  readonly name: string;
  readonly key: SigningKey;
  readonly address: Hex;
  readonly account: number;
  readonly credential: number;
}

export interface Response<Data> {
  readonly data: Data | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
}

export type Venue = Awaited<ReturnType<typeof openVenue>>;

/** Opens a venue that closes after the test, which fails if the venue has stopped or logged anything. */
export async function openVenueForTest(overrides?: Partial<ResolverDeps>) {
  const venue = await openVenue(overrides);
  afterThisTest.add(async () => {
    expect(venue.stops).toEqual([]);
    expect(venue.logged).toEqual([]);
    await venue.close();
  });
  return venue;
}

/** @param isLate whether the journal reports durability later, so that commands wait */
export async function openVenue(overrides: Partial<ResolverDeps> = {}, isLate = false) {
  const clock = new SimClock(epochMs(START));
  const messages = await openMessages();
  const { signer } = messages;
  const store = SqliteStore.open({ file: ':memory:' });
  const { archive, registry, identities } = store;
  const journal = isLate ? new LateJournal(store.journal) : store.journal;
  const machine = new Exchange({ sha256, identities, books: recordingBooks });
  const { view } = machine;
  const projector = new Projector({ view, archive });
  store.writeRowsFrom(projector);
  const stops: unknown[] = [];
  const exchange = new DurableExchange({ machine, journal, projector });
  const queue = new CommandQueue({ exchange, view, registry, clock, onStop: (cause) => stops.push(cause) });
  const ids = new WireIds({ view, identities, archive, registry });
  const stubs: Stubs = {
    restriction: undefined,
    delegates: new Set(),
    tokens: { order: undefined, cancel: undefined },
    taken: [],
  };
  const marketIndex = new MarketIndex(view);
  const marketViews = new MarketViewCache(view);
  queue.watch(marketIndex);
  queue.watch(marketViews);
  const deps: ResolverDeps = {
    queue,
    ids,
    archive,
    messages,
    cursors: new Cursors(new Uint8Array(32).fill(7)),
    access: stubAccess(stubs, clock),
    buckets: stubBuckets(stubs),
    catalogue: new Catalogue(registry),
    marketIndex,
    marketViews,
    venue: { version: '1.2.3', status: () => 'OK', betPresets: [100] },
    delays: NO_DELAYS,
    secretBytes: secureBytes,
    ...overrides,
  };
  const schema = venueSchema();
  const stub = stubResolvers(schema, 1);
  const own = tradingResolvers(deps);
  const logged: unknown[] = [];
  const note = (fields: object, message: string): void => void logged.push({ message, ...fields });
  const service = new GraphqlService({
    schema,
    quota: { consume: () => 0, charge: () => undefined },
    log: { info: note, warn: note, error: note },
    resolvers: {
      Query: { ...stub.Query, ...own.Query },
      Mutation: { ...stub.Mutation, ...own.Mutation },
      objects: own.objects,
    },
  });
  queue.start();
  let markets = 0;

  const send = async (command: ExchangeCommand): Promise<readonly ExchangeEvent[]> => queue.execute(command);
  const contextOf = ({ address, credential }: Pick<Trader, 'address' | 'credential'>): OperationContext => ({
    viewer: { account: address, credential: String(credential), kind: 'key', scopes: ALL_SCOPES },
    requestId: 'r1',
    ip: '192.0.2.1',
    now: clock.now(),
    header: () => undefined,
  });

  const signed = orderSigner({ messages, clock, view });

  const venue = {
    clock,
    queue,
    view,
    ids,
    archive,
    store,
    stops,
    logged,
    stubs,
    messages,
    service,
    send,
    hash: () => machine.stateHash(),
    now: () => clock.now(),

    /** Opens an account and deposits the dollars. */
    async trader(name: string, dollars: number): Promise<Trader> {
      const key = keyOf(signer, name);
      const { address } = key;
      await send({ type: 'openAccount', time: clock.now(), address, unlimited: false });
      const account = view.accountOf(address);
      const amount = microUsd(Math.round(dollars * 1_000_000));
      if (amount > 0) await send({ type: 'transfer', time: clock.now(), account: accountNo(account), amount });
      return { name, key, address, account, credential: account };
    },

    /** Creates and opens a market. @returns its UUID */
    async market(overrides: Partial<CreateMarket> = {}): Promise<string> {
      markets += 1;
      const id = marketId(`00000000-0000-4000-8000-${String(markets).padStart(12, '0')}`);
      if (view.accountCount === 0) {
        await send({ type: 'openAccount', time: clock.now(), address: 'operator', unlimited: true });
      }
      const text = { question: `Question ${markets}?`, rules: 'By hand.', categorySlug: 'tests', topicSlugs: [] };
      const resolutionDate = epochMs(START + DAY);
      await send(creationCommand({ clock, view }, accountNo(1), { id, ...text, resolutionDate, ...overrides }));
      await confirm(numberOf(id), 'DEPLOY');
      return id;
    },

    /** Resolves or voids an open market. */
    async end(id: string, outcome: 'YES' | 'NO' | 'UNCERTAIN' | 'CANCELLED'): Promise<void> {
      const market = numberOf(id);
      const target = { market, note: '' };
      if (outcome === 'CANCELLED') {
        await send({ type: 'voidMarket', time: clock.now(), ...target });
        return;
      }
      await send({ type: 'closeEarly', time: clock.now(), ...target });
      const decision = outcome === 'UNCERTAIN' ? undefined : outcome;
      for (const model of ['one', 'two']) {
        const vote = { id: `${model} ${id}`, model, vote: decision, confidenceBps: 9000, rationale: '', sources: [] };
        await send({ type: 'castVote', time: clock.now(), ...target, round: 1, vote });
      }
      // Other deadlines may fire before the end of the dispute window.
      while (view.market(market)?.status === 'RESOLVED' && clock.pending > 0) {
        clock.runNext();
        await queue.read(() => {});
      }
      await confirm(market, 'REPORT_PAYOUT');
    },

    /** Sends an operation. @returns its data and errors */
    async request<Data, Variables extends object>(
      trader: Pick<Trader, 'address' | 'credential'>,
      { text }: Operation<Data, Variables>,
      variables: Variables,
    ): Promise<Response<Data>> {
      const sent = Object.fromEntries(Object.entries(variables));
      const { answer } = await service.answer({ query: text, variables: sent }, contextOf(trader));
      const { data, errors = [] } = JSON.parse(JSON.stringify(answer));
      return { data, errors };
    },

    signed,

    hashOf(order: SignedOrder): string {
      const read = messages.order.read(order);
      if (!read.ok) throw new Error(read.message);
      return `0x${Buffer.from(messages.order.digest(read.message)).toString('hex')}`;
    },

    /** Places an order. @returns the payload */
    async place(trader: Trader, request: OrderRequest) {
      const { data, errors } = await venue.request(trader, ALL_OPERATIONS.placeOrder, {
        input: venue.input(trader, request),
      });
      if (data?.placeOrder === null || data === null) throw new Error(JSON.stringify(errors));
      return data.placeOrder;
    },

    /** The input of `placeOrder`. */
    input(trader: Trader, request: OrderRequest) {
      const { clientOrderId, groupId, selfTradePrevention } = request;
      return {
        order: signed(trader, request),
        ...(clientOrderId === undefined ? {} : { clientOrderId }),
        ...(groupId === undefined ? {} : { groupId }),
        ...(selfTradePrevention === undefined ? {} : { selfTradePrevention }),
      };
    },

    /** Sends an operation. @returns its data @throws Error on GraphQL errors */
    async execute<Data extends object, Variables extends object>(
      trader: Pick<Trader, 'address' | 'credential'>,
      operation: Operation<Data, Variables>,
      variables: Variables,
    ): Promise<Data> {
      const { data, errors } = await venue.request(trader, operation, variables);
      if (errors.length > 0 || data === null) throw new Error(JSON.stringify(errors));
      return data;
    },

    async close(): Promise<void> {
      await queue.close();
      await store.close();
    },
  };

  function numberOf(id: string): MarketNo {
    const market = ids.marketNo(marketId(id));
    if (market === undefined) throw new Error(`no market ${id}`);
    return market;
  }

  async function confirm(market: MarketNo, step: 'DEPLOY' | 'REPORT_PAYOUT'): Promise<void> {
    const attempt = view.market(market)?.attempts ?? 1;
    const transactionHash = `0x${'ab'.repeat(32)}`;
    await send({ type: 'chainConfirmed', time: clock.now(), market, note: '', step, attempt, transactionHash });
  }

  return venue;
}

function keyOf(signer: Signer, name: string): SigningKey {
  return signer.key(`0x${sha256(name)}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
