/** A venue with a real exchange, command queue and database. Tests call it over GraphQL and advance its clock. */

import { SimClock } from '../../../../src/clock/index.ts';
import { accountNo } from '../../../../src/domain/ids.ts';
import {
  type AccountNo,
  credentialNo,
  epochMs,
  groupNo,
  type MarketNo,
  marketId,
  marketNo,
  microShares,
  microUsd,
  type Outcome,
  priceBps,
  type Side,
} from '../../../../src/domain/index.ts';
import type {
  CreateMarket,
  ExchangeCommand,
  ExchangeEvent,
  Journal,
  JournalBatch,
  OnDurable,
  OrderTerms,
  QuotePolicyName,
  Restriction,
} from '../../../../src/exchange/index.ts';
import { venueSchema } from '../../../../src/protocol/index.ts';
import { Catalogue } from '../../../../src/server/catalogue.ts';
import { type Engine, openEngine } from '../../../../src/server/engine.ts';
import type { Arguments, Viewer } from '../../../../src/server/graphql/context.ts';
import { GraphqlService } from '../../../../src/server/graphql/service.ts';
import { MarketIndex } from '../../../../src/server/market-index.ts';
import { Cursors } from '../../../../src/server/paging/cursors.ts';
import { MarketViewCache } from '../../../../src/server/presenters/market-view-cache.ts';
import type { ResolverDeps } from '../../../../src/server/resolvers/deps.ts';
import { tradingResolvers } from '../../../../src/server/resolvers/resolvers.ts';
import {
  type Hex,
  NO_HASH,
  type OrderMessage,
  type SignedMessages,
  type Signer,
} from '../../../../src/signing/index.ts';
import { SqliteStore } from '../../../../src/store/index.ts';
import { openMessages, vectors } from '../../../signing/harness.ts';
import { ALL_SCOPES, operationContext, stubResolvers } from '../../graphql/stub-venue.ts';

export const START = Date.parse('2026-11-20T12:00:00Z');
export const DAY = 86_400_000;
/** Addresses of accounts without keys. */
export const [ONE, TWO, THREE] = ['01', '02', '03'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];

export interface Response {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly path: readonly string[] }[];
}

export interface VenueOptions {
  readonly file?: string;
  readonly quotePolicy?: QuotePolicyName;
}

/** A journal that holds a batch while `isHeld` is true. */
class SlowJournal implements Journal {
  isHeld = false;
  readonly #inner: Journal;
  #waiting: (() => void) | undefined;

  constructor(inner: Journal) {
    this.#inner = inner;
  }
  get name() {
    return this.#inner.name;
  }
  get first() {
    return this.#inner.first;
  }
  get last() {
    return this.#inner.last;
  }
  get snapshots() {
    return this.#inner.snapshots;
  }
  append(batch: JournalBatch, onDurable: OnDurable): void {
    if (this.isHeld) this.#waiting = () => this.#inner.append(batch, onDurable);
    else this.#inner.append(batch, onDurable);
  }
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }
  read(from: number) {
    return this.#inner.read(from);
  }
  readSnapshot(sequence: number) {
    return this.#inner.readSnapshot(sequence);
  }
  markUnusable(sequence: number): void {
    this.#inner.markUnusable(sequence);
  }
  saveSnapshot(...args: Parameters<Journal['saveSnapshot']>): void {
    this.#inner.saveSnapshot(...args);
  }
}

export async function openVenue({ file = ':memory:', quotePolicy }: VenueOptions = {}): Promise<Venue> {
  const clock = new SimClock(epochMs(START));
  const store = SqliteStore.open({ file, thread: false });
  const journal = new SlowJournal(store.journal);
  const { archive, registry, identities } = store;
  const faults: unknown[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (fields: object) => void faults.push(fields) };
  const engine = openEngine({
    store: {
      journal,
      archive,
      registry,
      identities,
      fault: undefined,
      follow: (source) => store.follow(source),
      onDamage: (listener) => store.onDamage(listener),
      pruneEvents: () => undefined,
      close: () => store.close(),
    },
    clock,
    log,
    quotePolicy,
    onStop: (cause: unknown) => void faults.push(cause),
  });
  const messages = await openMessages();
  return new Venue({ clock, store, journal, engine, faults, messages });
}

interface VenueParts {
  readonly clock: SimClock;
  readonly store: SqliteStore;
  readonly journal: SlowJournal;
  readonly engine: Engine;
  readonly faults: unknown[];
  readonly messages: SignedMessages & { readonly signer: Signer };
}

/** Requests and commands of tests. Commands go through the queue, like those of operators. */
export class Venue {
  readonly clock: SimClock;
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly marketIndex: MarketIndex;
  readonly marketViews: MarketViewCache;
  readonly cursors = new Cursors(new Uint8Array(32).fill(3));
  readonly deps: ResolverDeps;
  readonly service: GraphqlService;
  /** Logged errors, and the cause when the queue stopped. */
  readonly faults: unknown[];
  /** Remaining order tokens of all callers; undefined for no limit. */
  orderTokens: number | undefined;
  creationRestriction: Restriction | undefined;
  readonly #parts: VenueParts;

  constructor(parts: VenueParts) {
    const { engine, store, messages } = parts;
    const { queue, ids } = engine;
    this.#parts = parts;
    this.clock = parts.clock;
    this.engine = engine;
    this.faults = parts.faults;
    this.catalogue = new Catalogue(store.registry);
    this.marketIndex = new MarketIndex(queue.view);
    this.marketViews = new MarketViewCache(queue.view);
    queue.watch(this.marketIndex);
    queue.watch(this.marketViews);
    this.deps = {
      queue,
      ids,
      messages,
      archive: store.archive,
      cursors: this.cursors,
      marketIndex: this.marketIndex,
      marketViews: this.marketViews,
      catalogue: this.catalogue,
      venue: { version: '1.2.3', status: () => 'OK', betPresets: [100, 500] },
      callers: {
        credentialNo: () => credentialNo(1),
        restrictionOf: () => undefined,
        creationRestrictionOf: () => this.creationRestriction,
        isDelegate: () => false,
        offerWithdrawal: () => {
          throw new Error('no withdrawals here');
        },
      },
      buckets: {
        take: (_, __, count) => {
          if (this.orderTokens === undefined) return 0;
          this.orderTokens -= count;
          return this.orderTokens < 0 ? 1_500 : 0;
        },
        takeBoth: () => {
          throw new Error('no replaces here');
        },
      },
    };
    const schema = venueSchema();
    const stubs = stubResolvers(schema, 1);
    const { Query, Mutation, objects } = tradingResolvers(this.deps);
    this.service = new GraphqlService({
      schema,
      resolvers: { Query: { ...stubs.Query, ...Query }, Mutation: { ...stubs.Mutation, ...Mutation }, objects },
      quota: { take: () => undefined, charge: () => undefined },
      log: { info: () => undefined, warn: () => undefined, error: (fields) => void parts.faults.push(fields) },
    });
    queue.start();
  }

  get view() {
    return this.engine.view;
  }

  get registry() {
    return this.#parts.store.registry;
  }

  async request(query: string, variables: Arguments = {}, viewer?: Viewer): Promise<Response> {
    const context = { ...operationContext(viewer, 'r1'), viewer };
    const { answer } = await this.service.answer({ query, variables }, context);
    return answer;
  }

  /** Requests a single field. @returns its value @throws Error on GraphQL errors */
  async read<Value>(query: string, variables: Arguments = {}, viewer?: Viewer): Promise<Value> {
    const { data, errors } = await this.request(query, variables, viewer);
    if (errors !== undefined || data === null) throw new Error(JSON.stringify(errors));
    const [value] = Object.values(data);
    return value as Value;
  }

  /** Sends a request that fails with one error. @returns `message @ path` */
  async refusal(query: string, variables: Arguments = {}, viewer?: Viewer): Promise<string> {
    const { data, errors = [] } = await this.request(query, variables, viewer);
    const [error, ...others] = errors;
    if (error === undefined || others.length > 0) throw new Error(`not one error: ${JSON.stringify({ data, errors })}`);
    if (data !== null && Object.values(data).some((value) => value !== null)) throw new Error(JSON.stringify(data));
    return `${error.message} @ ${error.path.join('.')}`;
  }

  /** Executes a command. A command of an account needs `credential: credentialNo(0)`. @throws Error when it is refused */
  async execute(command: ExchangeCommand): Promise<readonly ExchangeEvent[]> {
    const events = await this.engine.queue.execute(command);
    const refused = events.find((event) => event.type === 'refused');
    if (refused !== undefined) throw new Error(`${command.type}: ${JSON.stringify(refused)}`);
    return events;
  }

  /** Opens an account with a deposit in dollars. Without a deposit the account is unlimited. */
  async account(address: string, dollars?: number): Promise<AccountNo> {
    const time = this.clock.now();
    await this.execute({ type: 'openAccount', time, address, unlimited: dollars === undefined });
    const account = accountNo(this.view.accountOf(address));
    if (dollars !== undefined && dollars > 0) {
      await this.execute({ type: 'transfer', time, account, amount: microUsd(dollars * 1_000_000) });
    }
    return account;
  }

  /** Creates a market, which then waits for its deployment. */
  async create(account: AccountNo, changes: Partial<CreateMarket> = {}): Promise<MarketNo> {
    const no = marketNo(this.view.markets.length);
    await this.execute(this.creation(account, changes));
    return no;
  }

  creation(account: AccountNo, changes: Partial<CreateMarket> = {}): CreateMarket {
    const no = this.view.markets.length;
    return {
      type: 'createMarket',
      time: this.clock.now(),
      account,
      credential: credentialNo(0),
      id: marketId(idOf(no)),
      question: `Will it rain on day ${no}?`,
      rules: 'By the gauge.',
      description: undefined,
      categorySlug: 'weather',
      topicSlugs: ['rain'],
      resolutionDate: epochMs(this.clock.now() + DAY),
      tickBps: undefined,
      feeRateBps: undefined,
      minOrderShares: undefined,
      eventId: undefined,
      initialOrder: undefined,
      restriction: undefined,
      ...changes,
    };
  }

  /** Confirms the chain step that the market waits for. */
  async confirm(market: MarketNo): Promise<void> {
    const record = this.view.market(market);
    if (record?.step === undefined) throw new Error(`market ${market} does not wait for a chain step`);
    await this.execute({
      type: 'chainConfirmed',
      time: this.clock.now(),
      market,
      step: record.step,
      attempt: record.attempts,
      transactionHash: `0x${'cd'.repeat(32)}`,
      note: '',
    });
  }

  /** Creates and opens a market. */
  async open(account: AccountNo, changes: Partial<CreateMarket> = {}): Promise<MarketNo> {
    const market = await this.create(account, changes);
    await this.confirm(market);
    return market;
  }

  /** Places an unsigned GTC order. @param shares micro-shares */
  place(...order: Parameters<Venue['order']>) {
    return this.execute(this.order(...order));
  }

  /** The command of an unsigned GTC order. @param shares micro-shares */
  order(
    account: AccountNo,
    market: MarketNo,
    side: Side,
    outcome: Outcome,
    price: number,
    shares: number,
  ): ExchangeCommand {
    const terms: OrderTerms = {
      market,
      outcome,
      side,
      price: priceBps(price),
      shares: microShares(shares),
      timeInForce: 'GTC',
      postOnly: false,
      expiration: 0,
      timestampMs: this.clock.now(),
      epoch: 0,
      maxFeeBps: 1_000,
      replaces: 0,
      selfTrade: 'CANCEL_TAKER',
      group: groupNo(0),
      restriction: undefined,
      hash: undefined,
      clientOrderId: undefined,
    };
    return { type: 'place', time: this.clock.now(), account, credential: credentialNo(0), ...terms };
  }

  /** The command of a split or merge. @param shares pairs, micro-shares */
  convert(type: 'split' | 'merge', account: AccountNo, market: MarketNo, shares: number): ExchangeCommand {
    const common = { time: this.clock.now(), account, credential: credentialNo(0) };
    return { type, ...common, market, shares: microShares(shares) };
  }

  /** The command that claims the payouts of all final markets. */
  claim(account: AccountNo): ExchangeCommand {
    return { type: 'claim', time: this.clock.now(), account, credential: credentialNo(0), market: undefined };
  }

  /** Mints pairs between two accounts. @param yes price of YES, bps @param shares micro-shares */
  async trade(market: MarketNo, [one, other]: readonly [AccountNo, AccountNo], yes: number, shares: number) {
    await this.place(one, market, 'BUY', 'YES', yes, shares);
    await this.place(other, market, 'BUY', 'NO', 10_000 - yes, shares);
  }

  /** Advances the clock and runs due timers. */
  pass(ms: number): void {
    const until = this.clock.now() + ms;
    while (this.clock.nextTime() <= until) this.clock.runNext();
    this.clock.advanceTo(until);
  }

  /** Holds the journal: nothing becomes durable until `release`. */
  hold(): void {
    this.#parts.journal.isHeld = true;
  }

  release(): void {
    this.#parts.journal.isHeld = false;
    this.#parts.journal.release();
  }

  /** A signed order as clients send it. @param key index of the test key */
  sign(key: 0 | 1, changes: Partial<OrderMessage> & Pick<OrderMessage, 'marketId'>): Record<string, unknown> {
    const { messages } = this.#parts;
    const secret = messages.signer.key(vectors.keys[key]?.privateKey ?? '');
    const message: OrderMessage = {
      salt: 7n,
      maker: address(key),
      signer: address(key),
      outcome: 'YES',
      side: 'BUY',
      priceBps: 5_000,
      shares: 10_000_000n,
      timeInForce: 'GTC',
      postOnly: false,
      expiration: 0n,
      timestampMs: BigInt(this.clock.now()),
      epoch: 0n,
      maxFeeBps: 0,
      replaces: NO_HASH,
      ...changes,
    };
    const { signature } = messages.order.sign(message, secret);
    return { ...messages.order.wire(message), signature };
  }

  async close(): Promise<void> {
    await this.engine.queue.close();
    await this.#parts.store.close();
  }
}

/** The viewer of a session. */
export function session(account: string, scopes: Viewer['scopes'] = ALL_SCOPES): Viewer {
  return { account, credential: `session of ${account}`, kind: 'session', scopes };
}

/** Address of a test key. */
export function address(key: 0 | 1): Hex {
  const found = vectors.keys[key]?.address;
  if (found === undefined) throw new Error(`no key ${key}`);
  return `0x${found.slice(2)}`;
}

/** UUID of market `no`. The ids are not sorted like the numbers. */
export function idOf(no: number): string {
  const mixed = Math.imul(no + 1, 0x9e3779b1) >>> 0;
  return `${mixed.toString(16).padStart(8, '0')}-5a7d-4e90-8b6f-${no.toString(16).padStart(12, '0')}`;
}
