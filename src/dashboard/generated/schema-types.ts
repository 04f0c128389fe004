/** Types of the dashboard's API, as JSON has them; schema.graphql describes them. Made by `npm run codegen`: do not edit. */
export type Query = {
  readonly viewer: Viewer;
  readonly bots: ReadonlyArray<Bot>;
  readonly market: Market | null;
  readonly history: MarketHistory;
  readonly equity: EquityHistory;
  readonly orders: ReadonlyArray<Order>;
  readonly fills: ReadonlyArray<Fill>;
  readonly log: ReadonlyArray<LogLine>;
  readonly reports: ReadonlyArray<Report>;
  readonly studies: ReadonlyArray<Study>;
  readonly audit: ReadonlyArray<AuditEntry>;
};

export type QueryMarketArgs = {
  readonly bot: string;
  readonly market: string;
};

export type QueryHistoryArgs = {
  readonly bot: string;
  readonly market: string;
  readonly rangeMs: number;
  readonly until: number | null;
  readonly points?: number;
};

export type QueryEquityArgs = {
  readonly bot: string;
  readonly points?: number;
};

export type QueryOrdersArgs = {
  readonly bot: string | null;
};

export type QueryFillsArgs = {
  readonly filter?: FillFilter;
  readonly first?: number;
};

export type QueryLogArgs = {
  readonly bot: string;
  readonly level?: LogLevel;
  readonly first?: number;
};

export type QueryAuditArgs = {
  readonly first?: number;
};

export type Mutation = {
  readonly act: ActionResult;
  readonly killAll: ReadonlyArray<ActionResult>;
  readonly cancelOrder: ActionResult;
  readonly setParameter: ActionResult;
  readonly addMarket: ActionResult;
  readonly removeMarket: ActionResult;
  readonly acknowledge: boolean;
};

export type MutationActArgs = {
  readonly bot: string;
  readonly action: BotAction;
  readonly reason: string | null;
};

export type MutationKillAllArgs = {
  readonly kind: BotKind;
  readonly reason: string | null;
};

export type MutationCancelOrderArgs = {
  readonly bot: string;
  readonly order: string;
};

export type MutationSetParameterArgs = {
  readonly bot: string;
  readonly name: string;
  readonly value: unknown;
  readonly market: string | null;
  readonly strategy: string | null;
};

export type MutationAddMarketArgs = {
  readonly bot: string;
  readonly market: string;
};

export type MutationRemoveMarketArgs = {
  readonly bot: string;
  readonly market: string;
};

export type MutationAcknowledgeArgs = {
  readonly bot: string;
  readonly alert: string;
};

export type Subscription = {
  readonly bots: ReadonlyArray<Bot>;
  readonly market: Market | null;
  readonly log: LogLine;
};

export type SubscriptionMarketArgs = {
  readonly bot: string;
  readonly market: string;
};

export type SubscriptionLogArgs = {
  readonly bot: string;
  readonly level?: LogLevel;
  readonly after: number | null;
};

export type Role = 'VIEWER' | 'OPERATOR';

export type Viewer = {
  readonly role: Role;
  readonly version: string;
  readonly now: number;
};

export type BotKind = 'LIVE' | 'PAPER' | 'DEMO';

export type TradingMode = 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';

export type Link = 'UP' | 'DOWN';

export type Agreement = 'AGREES' | 'COMPARING' | 'DISAGREES';

export type Side = 'BID' | 'ASK';

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

export type AlertLevel = 'INFO' | 'WARNING' | 'CRITICAL';

export type Health = 'QUOTING' | 'ONE_SIDED' | 'IDLE' | 'STALE' | 'PAUSED' | 'REDUCING' | 'KILLED' | 'LINK_DOWN' | 'COMPARING' | 'UNREACHABLE';

export type Bot = {
  readonly id: string;
  readonly health: Health;
  readonly healthReason: string | null;
  readonly seenAt: number | null;
  readonly clockAheadMs: number | null;
  readonly state: BotState | null;
};

export type BotState = {
  readonly kind: BotKind;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  readonly now: number;
  readonly account: string;
  readonly venue: string;
  readonly mode: TradingMode;
  readonly modeReason: string | null;
  readonly killReason: string | null;
  readonly killVerified: boolean | null;
  readonly venueMode: string;
  readonly venueModeReason: string | null;
  readonly nextStep: string | null;
  readonly link: Link;
  readonly reconciled: Agreement;
  readonly recovery: string | null;
  readonly clockSkewMs: number;
  readonly cash: number;
  readonly available: number;
  readonly equity: number;
  readonly pnl: number;
  readonly today: PnlByCause;
  readonly openOrders: number;
  readonly fills: number;
  readonly worstCase: number;
  readonly twoSided: number | null;
  readonly refused: ReadonlyArray<Count>;
  readonly rejected: ReadonlyArray<Count>;
  readonly limits: ReadonlyArray<LimitUse>;
  readonly maxBookAgeMs: number | null;
  readonly rates: ReadonlyArray<RateBudget>;
  readonly answerTimes: AnswerTimes | null;
  readonly strategies: ReadonlyArray<string>;
  readonly markets: ReadonlyArray<MarketLine>;
  readonly alerts: ReadonlyArray<Alert>;
};

export type Count = {
  readonly name: string;
  readonly count: number;
};

export type PnlByCause = {
  readonly from: number;
  readonly total: number;
  readonly spread: number;
  readonly inventory: number;
  readonly settlement: number;
  readonly fees: number;
  readonly rewards: number;
  readonly rounding: number;
};

export type LimitUse = {
  readonly name: string;
  readonly scope: string;
  readonly used: number;
  readonly limit: number | null;
  readonly unit: LimitUnit;
  readonly atBreach: string;
};

export type LimitUnit = 'USD' | 'SHARES' | 'COUNT' | 'MS' | 'BPS';

export type RateBudget = {
  readonly bucket: string;
  readonly left: number;
  readonly capacity: number;
  readonly perSecond: number;
};

export type AnswerTimes = {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type Alert = {
  readonly id: string;
  readonly kind: string;
  readonly level: AlertLevel;
  readonly text: string;
  readonly time: number;
  readonly count: number;
  readonly acknowledged: boolean;
};

export type MarketLine = {
  readonly slug: string;
  readonly question: string;
  readonly event: string | null;
  readonly status: string;
  readonly acceptingOrders: boolean;
  readonly strategy: string | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly doubleMid: number | null;
  readonly ownBid: number | null;
  readonly ownAsk: number | null;
  readonly bookAgeMs: number | null;
  readonly openOrders: number;
  readonly position: number;
  readonly worth: number;
  readonly ifYes: number;
  readonly ifNo: number;
  readonly worst: number;
  readonly stopped: string | null;
  readonly twoSided: number | null;
};

export type Market = {
  readonly line: MarketLine;
  readonly tickBps: number;
  readonly minShares: number;
  readonly feeBps: number | null;
  readonly endsAt: number | null;
  readonly averagePrice: number | null;
  readonly bids: ReadonlyArray<Level>;
  readonly asks: ReadonlyArray<Level>;
  readonly trades: ReadonlyArray<Trade>;
  readonly orders: ReadonlyArray<Order>;
  readonly quotes: ReadonlyArray<QuoteComparison>;
  readonly today: PnlByCause;
  readonly run: PnlByCause;
  readonly markouts: ReadonlyArray<Markout>;
  readonly uptime: Uptime | null;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly limits: ReadonlyArray<LimitUse>;
};

export type Level = {
  readonly price: number;
  readonly shares: number;
  readonly own: number;
  readonly ahead: number | null;
};

export type Trade = {
  readonly time: number;
  readonly taker: Side | null;
  readonly price: number;
  readonly shares: number;
  readonly own: boolean;
};

export type Order = {
  readonly bot: string;
  readonly order: string;
  readonly market: string;
  readonly side: Side;
  readonly price: number;
  readonly outcome: string;
  readonly remaining: number;
  readonly phase: string;
  readonly since: number;
  readonly tag: string | null;
};

export type FillFilter = {
  readonly bot: string | null;
  readonly market: string | null;
  readonly marketContains: string | null;
  readonly from: number | null;
  readonly until: number | null;
  readonly side: Side | null;
};

export type Fill = {
  readonly bot: string;
  readonly time: number;
  readonly market: string;
  readonly side: Side;
  readonly price: number;
  readonly outcome: string;
  readonly shares: number;
  readonly fee: number;
  readonly maker: boolean;
  readonly trade: string | null;
  readonly tag: string | null;
};

export type QuoteComparison = {
  readonly side: Side;
  readonly level: number;
  readonly wantedPrice: number | null;
  readonly wantedShares: number | null;
  readonly restingPrice: number | null;
  readonly restingShares: number | null;
  readonly difference: string;
};

export type Markout = {
  readonly after: string;
  readonly bps: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly fills: number;
};

export type Uptime = {
  readonly both: number;
  readonly bidOnly: number;
  readonly askOnly: number;
  readonly none: number;
  readonly bidAtBest: number;
  readonly askAtBest: number;
};

export type Parameter = {
  readonly strategy: string;
  readonly name: string;
  readonly value: unknown | null;
  readonly help: string | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
};

export type MarketHistory = {
  readonly from: number;
  readonly until: number;
  readonly oldest: number | null;
  readonly time: ReadonlyArray<number>;
  readonly doubleMid: ReadonlyArray<number | null>;
  readonly ownBid: ReadonlyArray<number | null>;
  readonly ownAsk: ReadonlyArray<number | null>;
  readonly position: ReadonlyArray<number | null>;
  readonly fills: ReadonlyArray<Fill>;
  readonly fillCount: number;
};

export type EquityHistory = {
  readonly time: ReadonlyArray<number>;
  readonly equity: ReadonlyArray<number>;
  readonly total: ReadonlyArray<number>;
  readonly spread: ReadonlyArray<number>;
  readonly inventory: ReadonlyArray<number>;
};

export type LogLine = {
  readonly seq: number;
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: string;
};

export type Report = {
  readonly id: string;
  readonly title: string;
  readonly time: number;
  readonly bytes: number;
  readonly url: string;
};

export type Study = {
  readonly id: string;
  readonly title: string;
  readonly time: number;
  readonly bytes: number;
  readonly url: string;
  readonly run: StudyRun | null;
};

export type StudyRun = {
  readonly host: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly writtenAt: number;
  readonly isAlive: boolean;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly leftMs: number | null;
  readonly best: string | null;
  readonly threads: number;
  readonly notices: ReadonlyArray<Notice>;
  readonly remote: RemoteWork | null;
};

export type Notice = {
  readonly time: number;
  readonly text: string;
};

export type RemoteWork = {
  readonly problem: string | null;
  readonly connected: number;
  readonly queued: number;
  readonly returned: number;
  readonly lost: number;
  readonly computingSeconds: number;
  readonly costUsd: number | null;
  readonly workers: ReadonlyArray<StudyWorker>;
};

export type StudyWorker = {
  readonly name: string;
  readonly host: string;
  readonly threads: number;
  readonly state: string;
  readonly backtests: number;
  readonly failed: number;
  readonly returned: number;
  readonly perSecond: number;
  readonly silentMs: number;
};

export type BotAction = 'PAUSE' | 'RESUME' | 'REDUCE' | 'FLATTEN' | 'KILL' | 'CANCEL_ALL';

export type ActionResult = {
  readonly bot: string;
  readonly done: boolean;
  readonly text: string;
  readonly mode: TradingMode | null;
};

export type AuditEntry = {
  readonly time: number;
  readonly who: Role;
  readonly from: string;
  readonly bot: string;
  readonly action: string;
  readonly details: string;
  readonly done: boolean;
  readonly text: string;
};
