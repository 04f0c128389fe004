/** Opens a venue server with settings of the command line and of the venue's configuration. */
import { resolve } from 'node:path';
import { snakeCase, withFileKey } from '../../config/recipe-schema.ts';
import type { VenueFile } from '../../config/venue-schema.ts';
import { durationMs, InputFault, parseTime, sharesFloor } from '../../domain/index.ts';
import { CONFIG_KEYS, type ExchangeConfig, QUOTE_POLICIES } from '../../exchange/index.ts';
import { version } from '../../package-files.ts';
import {
  type BucketName,
  type BucketSize,
  type ChainSettings,
  type ChaosSettings,
  fileMailSender,
  type HouseSettings,
  type Log,
  logMailSender,
  type PayoutSettings,
  type PolymarketSettings,
  type ResolverSettings,
  startLocalVenue,
  type VenueServer,
} from '../../server/index.ts';
import { SqliteStore } from '../../store/index.ts';
import { openReplays, type ReplayRequest, toReplayRequests } from './open-replays.ts';

/** Settings of the command line. An undefined setting falls back to the configuration. */
interface ServeOverrides {
  readonly db: string;
  /** See `SqliteStore.open`. */
  readonly acceptLoss: boolean;
  /** See `ServerOptions`. */
  readonly acceptPause?: boolean;
  readonly host: string;
  readonly port: number;
  readonly seed: boolean;
  readonly creditCents: number | undefined;
  /** Replaces the dialects of the configuration. */
  readonly dialects: readonly string[] | undefined;
  readonly renewOperatorToken: boolean;
  /** Added to the replays of the configuration. */
  readonly replays: readonly ReplayRequest[];
}

export interface ServeInput {
  readonly overrides: ServeOverrides;
  readonly file: VenueFile;
  /** Base of relative paths in the file. */
  readonly folder: string;
  readonly chaos: ChaosSettings | undefined;
  readonly log: Log;
  readonly onStop: (cause: unknown) => void;
}

/** Opens a server with the system clock and a database file. @throws FileFault, InputFault, and errors of listening */
export async function openServer({ overrides, file, folder, chaos, log, onStop }: ServeInput): Promise<VenueServer> {
  const { host, port, creditCents = file.credit_cents } = overrides;
  const replays = openReplays([...toReplayRequests(file.replay, folder), ...overrides.replays]);
  const store = openStore(overrides, log);
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
      audience: file.audience,
      buckets: toBuckets(file.rates),
      geo: file.geo && { countryHeader: file.geo.country_header, rules: file.geo.rules, unknown: file.geo.unknown },
    },
    store,
    mailSender: file.outbox === undefined ? logMailSender(log) : fileMailSender(resolve(folder, file.outbox)),
    listen: { host, port, base: file.base_path ?? '', trustedProxies: file.trusted_proxies, origins: file.origins },
    quotePolicy: file.quote_policy,
    config: toExchangeConfig(file.exchange),
    betPresetsCents: file.bet_presets_cents,
    chain: toChainSettings(file.chain),
    payouts: toPayoutSettings(file.payouts),
    resolver: toResolverSettings(file.resolver),
    house: (file.house.enabled ?? overrides.seed) ? toHouseSettings(file) : undefined,
    seed: overrides.seed,
    replays,
    randomSeed: file.seed,
    polymarket: (overrides.dialects ?? file.dialects).includes('polymarket')
      ? toPolymarketSettings(file.polymarket)
      : undefined,
    renewOperatorToken: overrides.renewOperatorToken,
    acceptPause: overrides.acceptPause ?? false,
  });
  return started.catch((fault: unknown) => {
    throw fault instanceof InputFault && fault.field.startsWith('exchange.') ? withFileKey(fault) : fault;
  });
}

function openStore({ db, acceptLoss }: ServeOverrides, log: Log): SqliteStore {
  const store = SqliteStore.open({ file: db, acceptLoss });
  const { acceptedLoss, journal } = store;
  if (acceptedLoss !== undefined) {
    const effect = `The venue continues from record ${journal.last}; later records are lost, although clients may have received them`;
    log.warn({ db, lost: acceptedLoss, lastRecord: journal.last }, `a loss was accepted: ${acceptedLoss}. ${effect}`);
  }
  return store;
}

function toExchangeConfig(given: VenueFile['exchange']): Partial<ExchangeConfig> {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.fromEntries(
    CONFIG_KEYS.flatMap((key) => {
      const value = values.get(snakeCase(key));
      return typeof value === 'number' ? [[key, value]] : [];
    }),
  );
}

function toChainSettings(given: VenueFile['chain']): ChainSettings | undefined {
  if (given.model === 'manual') return undefined;
  const { min_delay_ms: minDelayMs, max_delay_ms: maxDelayMs, failure, permanent } = given;
  return { minDelayMs, maxDelayMs, failure, permanent };
}

const DECISIONS = { YES: 'YES', NO: 'NO', UNCERTAIN: undefined, CANCELLED: 'CANCELLED' } as const;

function toResolverSettings(given: VenueFile['resolver']): ResolverSettings {
  if (given.model === 'manual') return { type: 'manual' };
  if (given.model === 'panel') {
    const models = given.models.map(({ name, accuracy, silence, mean_delay_ms }) => {
      return { name, accuracy, silence, meanDelay: durationMs(mean_delay_ms) };
    });
    return { type: 'panel', models };
  }
  const outcomes = Object.entries(given.outcomes).map(([name, { decision, at, rationale, sources = [] }]) => {
    const votedAt = at === undefined ? undefined : parseTime('at', at);
    return [name, { decision: DECISIONS[decision], at: votedAt, rationale, sources }] as const;
  });
  return { type: 'scripted', outcomes: new Map(outcomes) };
}

function toHouseSettings({ house, quote_policy }: VenueFile): HouseSettings {
  return {
    policy: QUOTE_POLICIES[house.policy ?? quote_policy ?? 'additive'],
    spreadBps: house.spread_bps,
    shares: sharesFloor(house.shares),
    refillBelow: sharesFloor(house.refill_below),
    intervalMs: house.interval_ms,
  };
}

function toBuckets({ read, order, cancel, parse }: VenueFile['rates']): Readonly<Record<BucketName, BucketSize>> {
  const toSize = (rate: typeof read) => ({ capacity: rate.capacity, perSecond: rate.per_second });
  return { read: toSize(read), order: toSize(order), cancel: toSize(cancel), parse: toSize(parse) };
}

function toPayoutSettings({ provision_ms, broadcast_ms, confirm_ms, failure }: VenueFile['payouts']): PayoutSettings {
  return { provisionMs: provision_ms, broadcastMs: broadcast_ms, confirmMs: confirm_ms, failure };
}

function toPolymarketSettings(given: VenueFile['polymarket']): PolymarketSettings {
  return {
    chainId: given.chain_id,
    orderVersion: given.order_version,
    tier: given.tier === 'none' ? undefined : given.tier,
    maxClockSkewSeconds: given.max_clock_skew_s,
    minedMs: given.mined_ms,
    confirmedMs: given.confirmed_ms,
    rebateBps: given.rebate_bps,
    negRiskEvents: given.neg_risk_events,
    heartbeatMs: given.heartbeat_ms,
  };
}
