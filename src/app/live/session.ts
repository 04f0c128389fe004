/** Creates the `Venue` of a live bot: its orders and account at the venue. */
import type { RecoveryReport } from '../../runtime/index.ts';
import { ServiceVenue } from '../../venues/service/index.ts';
import type { VenueAccess } from '../venue-access.ts';
import type { TradingAccount } from './account.ts';
import type { VenueConnection } from './connection.ts';
import type { LiveCore } from './core.ts';
import type { MarketChanges } from './market-changes.ts';
import { type LiveMarkets, toVenueMarkets } from './markets.ts';
import type { LiveStart } from './opened-live.ts';
import type { RecoveredBot } from './recover.ts';

/** Receives reports of recoveries and repeated commands. It is created after the session. */
interface SessionReports {
  recovered(report: RecoveryReport): void;
  repeated(command: string, problem: string): void;
}

export interface SessionParts {
  readonly access: VenueAccess;
  readonly account: TradingAccount;
  readonly connection: VenueConnection;
  readonly markets: LiveMarkets;
  readonly core: LiveCore;
  readonly past: RecoveredBot;
  readonly changes: MarketChanges;
  /** Called for the first report, after the run has connected. */
  readonly reports: () => SessionReports;
}

/** Connects to nothing yet. */
export function openSession({ live, adopt, outcome }: LiveStart, parts: SessionParts): ServiceVenue {
  const { access, account, connection, markets, core, past, changes, reports } = parts;
  const { file } = live;
  const { key, address, credentials } = account.facts;
  const { gap } = past;
  return new ServiceVenue({
    transport: connection.transport,
    marketData: connection.marketData,
    terms: connection.terms,
    markets: toVenueMarkets(markets.present, core.state),
    signer: access.signer,
    messages: access.messages,
    login: access.login,
    key,
    address,
    credential: credentials.apiKey === undefined ? { type: 'login' } : { type: 'apiKey', key: credentials.apiKey },
    maxFeeBps: file.risk.max_fee_bps,
    records: past.store,
    view: core.state,
    unanswered: core.state.snapshot().conversions,
    lost: past.lost,
    lastAlive: account.facts.lastAlive,
    settings: {
      heartbeatMs: file.heartbeat_ms === 'none' ? 0 : file.heartbeat_ms,
      leftovers: file.leftovers,
      adopt,
      silenceMs: file.venue.silence_ms,
    },
    fault: (error) => outcome.fail(error),
    marketFailed: (market, fault) => changes.failed(market, fault),
    stuck: (command) => changes.stuck(command),
    recovered: (report) =>
      reports().recovered(report.cause === 'start' && gap !== undefined ? { ...report, gap } : report),
    repeated: (command, problem) => reports().repeated(command, problem),
  });
}
