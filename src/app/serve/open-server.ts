/** The only place that picks clock, store and keys for a server. */
import { resolve } from 'node:path';
import type { VenueFile } from '../../config/venue-schema.ts';
import { durationMs, InputFault, parseTime, sharesFloor } from '../../domain/index.ts';
import { CONFIG_KEYS, type ExchangeConfig, QUOTE_POLICIES } from '../../exchange/index.ts';
import { version } from '../../package-files.ts';
import {
  type BucketName,
  type BucketSize,
  type ChainSettings,
  type ChaosSettings,
  fileOutbox,
  type GeoSettings,
  type HouseSettings,
  type Log,
  logOutbox,
  type PayoutSettings,
  type ResolverSettings,
  startLocalVenue,
  type VenueServer,
} from '../../server/index.ts';
import { SqliteStore } from '../../store/index.ts';
import { openReplays, type ReplayRequest, replaysOfFile } from './open-replays.ts';

/** What the command line says of a server; what is undefined, the file says. */
interface ServeOverrides {
  /** As `SqliteStore.open` takes it. */
  readonly db: string;
  /** Likewise. */
  readonly acceptLoss?: boolean;
  readonly host: string;
  readonly port: number;
  readonly seed: boolean;
  readonly creditCents: number | undefined;
  readonly renewOperatorToken: boolean;
  /** After those of the file. */
  readonly replays: readonly ReplayRequest[];
}

/** A server's parts, as they come from the command line and files. */
export interface ServeInput {
  readonly wishes: ServeOverrides;
  readonly file: VenueFile;
  /** The folder that paths of the file are relative to. */
  readonly folder: string;
  readonly chaos: ChaosSettings | undefined;
  readonly log: Log;
  readonly onStop: (cause: unknown) => void;
}

/** A server on the system's clock and a database file. @throws FileFault, InputFault, and what listening throws */
export async function openServer({ wishes, file, folder, chaos, log, onStop }: ServeInput): Promise<VenueServer> {
  const { host, port, creditCents = file.credit_cents } = wishes;
  const replays = openReplays([...replaysOfFile(file.replay, folder), ...wishes.replays]);
  const store = openStore(wishes, log);
  const started = startLocalVenue({
    log,
    chaos,
    onStop,
    version: version(),
    chainId: file.chain_id,
    contract: file.contract,
    access: {
      creditCents,
      emailNeededFor: file.email_needed_for,
      ...(file.audience === undefined ? {} : { audience: file.audience }),
      buckets: bucketsOf(file.rates),
      ...(file.geo === undefined ? {} : { geo: geoOf(file.geo) }),
    },
    store,
    outbox: file.outbox === undefined ? logOutbox(log) : fileOutbox(resolve(folder, file.outbox)),
    listen: {
      host,
      port,
      trustedProxies: file.trusted_proxies,
      ...(file.base_path === undefined ? {} : { base: file.base_path }),
      ...(file.origins === undefined ? {} : { origins: file.origins }),
    },
    quotePolicy: file.quote_policy,
    config: configOf(file.exchange),
    betPresetsCents: file.bet_presets_cents,
    chain: chainOf(file.chain),
    payouts: payoutsOf(file.payouts),
    resolver: resolverOf(file.resolver),
    house: (file.house.enabled ?? wishes.seed) ? houseOf(file) : undefined,
    seed: wishes.seed,
    replays,
    randomSeed: file.seed,
    renewOperatorToken: wishes.renewOperatorToken,
  });
  return started.catch((fault: unknown) => {
    throw inWordsOfFile(fault);
  });
}

function openStore({ db, acceptLoss = false }: ServeOverrides, log: Log): SqliteStore {
  const store = SqliteStore.open({ file: db, acceptLoss });
  const { acceptedLoss, journal } = store;
  if (acceptedLoss !== undefined) {
    const text = `a loss was accepted: ${acceptedLoss}. The venue goes on from record ${journal.last}`;
    log.warn({ db, lost: acceptedLoss, lastRecord: journal.last }, `${text}; what clients were told after it is gone`);
  }
  return store;
}

/** A fault of the exchange's configuration under the key that the file has. */
function inWordsOfFile(fault: unknown): unknown {
  if (!(fault instanceof InputFault) || !fault.field.startsWith('exchange.')) return fault;
  return new InputFault(snakeCase(fault.field), fault.received, fault.expected, { cause: fault });
}

/** Members that are given, by the exchange's names. */
function configOf(given: VenueFile['exchange']): Partial<ExchangeConfig> {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.fromEntries(
    CONFIG_KEYS.flatMap((key) => {
      const value = values.get(snakeCase(key));
      return typeof value === 'number' ? [[key, value]] : [];
    }),
  );
}

function chainOf(given: VenueFile['chain']): ChainSettings | undefined {
  if (given.model === 'manual') return undefined;
  const { min_delay_ms: minDelayMs, max_delay_ms: maxDelayMs, failure, permanent } = given;
  return { minDelayMs, maxDelayMs, failure, permanent };
}

const DECISIONS = { YES: 'YES', NO: 'NO', UNCERTAIN: undefined, CANCELLED: 'CANCELLED' } as const;

function resolverOf(given: VenueFile['resolver']): ResolverSettings {
  if (given.model === 'manual') return { type: 'manual' };
  if (given.model === 'panel') {
    const models = given.models.map(({ name, accuracy, silence, mean_delay_ms }) => {
      return { name, accuracy, silence, meanDelay: durationMs(mean_delay_ms) };
    });
    return { type: 'panel', models };
  }
  const outcomes = Object.entries(given.outcomes).map(([name, { decision, at, rationale, sources = [] }]) => {
    const told = { decision: DECISIONS[decision], sources, ...(rationale === undefined ? {} : { rationale }) };
    return [name, at === undefined ? told : { ...told, at: parseTime('at', at) }] as const;
  });
  return { type: 'scripted', outcomes: new Map(outcomes) };
}

function houseOf({ house, quote_policy }: VenueFile): HouseSettings {
  return {
    policy: QUOTE_POLICIES[house.policy ?? quote_policy ?? 'additive'],
    spreadBps: house.spread_bps,
    shares: sharesFloor(house.shares),
    refillBelow: sharesFloor(house.refill_below),
    intervalMs: house.interval_ms,
  };
}

function bucketsOf({ read, order, cancel, parse }: VenueFile['rates']): Readonly<Record<BucketName, BucketSize>> {
  const sizeOf = (rate: typeof read) => ({ capacity: rate.capacity, perSecond: rate.per_second });
  return { read: sizeOf(read), order: sizeOf(order), cancel: sizeOf(cancel), parse: sizeOf(parse) };
}

function payoutsOf({ provision_ms, broadcast_ms, confirm_ms, failure }: VenueFile['payouts']): PayoutSettings {
  return { provisionMs: provision_ms, broadcastMs: broadcast_ms, confirmMs: confirm_ms, failure };
}

function geoOf({ country_header: countryHeader, rules, unknown }: NonNullable<VenueFile['geo']>): GeoSettings {
  return { countryHeader, rules, unknown };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
