/** Types of the dashboard's API, as JSON has them; schema.graphql describes them. Made by `npm run codegen`: do not edit. */
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  Time: { input: number; output: number; }
  MicroUsd: { input: number; output: number; }
  MicroShares: { input: number; output: number; }
  Bps: { input: number; output: number; }
  Json: { input: unknown; output: unknown; }
};

export type Query = {
  readonly viewer: Viewer;
  readonly bots: ReadonlyArray<Bot>;
  readonly market: Maybe<Market>;
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
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type QueryHistoryArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
  rangeMs: Scalars['Float']['input'];
  until: InputMaybe<Scalars['Time']['input']>;
  points?: Scalars['Int']['input'];
};


export type QueryEquityArgs = {
  bot: Scalars['ID']['input'];
  points?: Scalars['Int']['input'];
};


export type QueryOrdersArgs = {
  bot: InputMaybe<Scalars['ID']['input']>;
};


export type QueryFillsArgs = {
  filter?: FillFilter;
  first?: Scalars['Int']['input'];
};


export type QueryLogArgs = {
  bot: Scalars['ID']['input'];
  level?: LogLevel;
  first?: Scalars['Int']['input'];
};


export type QueryAuditArgs = {
  first?: Scalars['Int']['input'];
};

export type Mutation = {
  readonly act: ActionResult;
  readonly killAll: ReadonlyArray<ActionResult>;
  readonly cancelOrder: ActionResult;
  readonly setParameter: ActionResult;
  readonly addMarket: ActionResult;
  readonly removeMarket: ActionResult;
  readonly acknowledge: Scalars['Boolean']['output'];
};


export type MutationActArgs = {
  bot: Scalars['ID']['input'];
  action: BotAction;
  reason: InputMaybe<Scalars['String']['input']>;
};


export type MutationKillAllArgs = {
  kind: BotKind;
  reason: InputMaybe<Scalars['String']['input']>;
};


export type MutationCancelOrderArgs = {
  bot: Scalars['ID']['input'];
  order: Scalars['ID']['input'];
};


export type MutationSetParameterArgs = {
  bot: Scalars['ID']['input'];
  name: Scalars['String']['input'];
  value: Scalars['Json']['input'];
  market: InputMaybe<Scalars['String']['input']>;
  strategy: InputMaybe<Scalars['String']['input']>;
};


export type MutationAddMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type MutationRemoveMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type MutationAcknowledgeArgs = {
  bot: Scalars['ID']['input'];
  alert: Scalars['ID']['input'];
};

export type Subscription = {
  readonly bots: ReadonlyArray<Bot>;
  readonly market: Maybe<Market>;
  readonly log: LogLine;
};


export type SubscriptionMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type SubscriptionLogArgs = {
  bot: Scalars['ID']['input'];
  level?: LogLevel;
};

export type Role =
  | 'VIEWER'
  | 'OPERATOR';

export type Viewer = {
  readonly role: Role;
  readonly version: Scalars['String']['output'];
  readonly now: Scalars['Time']['output'];
};

export type BotKind =
  | 'LIVE'
  | 'PAPER'
  | 'DEMO';

export type TradingMode =
  | 'ACTIVE'
  | 'REDUCING'
  | 'PAUSED'
  | 'KILLED';

export type Link =
  | 'UP'
  | 'DOWN';

export type Agreement =
  | 'AGREES'
  | 'COMPARING'
  | 'DISAGREES';

export type Side =
  | 'BID'
  | 'ASK';

export type LogLevel =
  | 'DEBUG'
  | 'INFO'
  | 'WARN'
  | 'ERROR';

export type AlertLevel =
  | 'INFO'
  | 'WARNING'
  | 'CRITICAL';

export type Health =
  | 'QUOTING'
  | 'ONE_SIDED'
  | 'IDLE'
  | 'STALE'
  | 'PAUSED'
  | 'REDUCING'
  | 'KILLED'
  | 'LINK_DOWN'
  | 'COMPARING'
  | 'UNREACHABLE';

export type Bot = {
  readonly id: Scalars['ID']['output'];
  readonly health: Health;
  readonly healthReason: Maybe<Scalars['String']['output']>;
  readonly seenAt: Maybe<Scalars['Time']['output']>;
  readonly clockAheadMs: Maybe<Scalars['Float']['output']>;
  readonly state: Maybe<BotState>;
};

export type BotState = {
  readonly kind: BotKind;
  readonly pid: Scalars['Int']['output'];
  readonly version: Scalars['String']['output'];
  readonly startedAt: Scalars['Time']['output'];
  readonly now: Scalars['Time']['output'];
  readonly account: Scalars['String']['output'];
  readonly venue: Scalars['String']['output'];
  readonly mode: TradingMode;
  readonly modeReason: Maybe<Scalars['String']['output']>;
  readonly killReason: Maybe<Scalars['String']['output']>;
  readonly killVerified: Maybe<Scalars['Boolean']['output']>;
  readonly venueMode: Scalars['String']['output'];
  readonly venueModeReason: Maybe<Scalars['String']['output']>;
  readonly nextStep: Maybe<Scalars['String']['output']>;
  readonly link: Link;
  readonly reconciled: Agreement;
  readonly recovery: Maybe<Scalars['String']['output']>;
  readonly clockSkewMs: Scalars['Float']['output'];
  readonly cash: Scalars['MicroUsd']['output'];
  readonly available: Scalars['MicroUsd']['output'];
  readonly equity: Scalars['MicroUsd']['output'];
  readonly pnl: Scalars['MicroUsd']['output'];
  readonly today: PnlByCause;
  readonly openOrders: Scalars['Int']['output'];
  readonly fills: Scalars['Int']['output'];
  readonly worstCase: Scalars['MicroUsd']['output'];
  readonly twoSided: Maybe<Scalars['Float']['output']>;
  readonly refused: ReadonlyArray<Count>;
  readonly rejected: ReadonlyArray<Count>;
  readonly limits: ReadonlyArray<LimitUse>;
  readonly rates: ReadonlyArray<RateBudget>;
  readonly acknowledgement: Maybe<Acknowledgement>;
  readonly strategies: ReadonlyArray<Scalars['String']['output']>;
  readonly markets: ReadonlyArray<MarketLine>;
  readonly alerts: ReadonlyArray<Alert>;
};

export type Count = {
  readonly name: Scalars['String']['output'];
  readonly count: Scalars['Int']['output'];
};

export type PnlByCause = {
  readonly from: Scalars['Time']['output'];
  readonly total: Scalars['MicroUsd']['output'];
  readonly spread: Scalars['MicroUsd']['output'];
  readonly inventory: Scalars['MicroUsd']['output'];
  readonly settlement: Scalars['MicroUsd']['output'];
  readonly fees: Scalars['MicroUsd']['output'];
  readonly rewards: Scalars['MicroUsd']['output'];
  readonly rounding: Scalars['MicroUsd']['output'];
};

export type LimitUse = {
  readonly name: Scalars['String']['output'];
  readonly scope: Scalars['String']['output'];
  readonly used: Scalars['Float']['output'];
  readonly limit: Maybe<Scalars['Float']['output']>;
  readonly unit: LimitUnit;
  readonly atBreach: Scalars['String']['output'];
};

export type LimitUnit =
  | 'USD'
  | 'SHARES'
  | 'COUNT'
  | 'MS'
  | 'BPS';

export type RateBudget = {
  readonly bucket: Scalars['String']['output'];
  readonly left: Scalars['Float']['output'];
  readonly capacity: Scalars['Float']['output'];
  readonly perSecond: Scalars['Float']['output'];
};

export type Acknowledgement = {
  readonly count: Scalars['Int']['output'];
  readonly p50Ms: Scalars['Float']['output'];
  readonly p99Ms: Scalars['Float']['output'];
};

export type Alert = {
  readonly id: Scalars['ID']['output'];
  readonly kind: Scalars['String']['output'];
  readonly level: AlertLevel;
  readonly text: Scalars['String']['output'];
  readonly time: Scalars['Time']['output'];
  readonly count: Scalars['Int']['output'];
  readonly acknowledged: Scalars['Boolean']['output'];
};

export type MarketLine = {
  readonly slug: Scalars['ID']['output'];
  readonly question: Scalars['String']['output'];
  readonly event: Maybe<Scalars['String']['output']>;
  readonly status: Scalars['String']['output'];
  readonly acceptingOrders: Scalars['Boolean']['output'];
  readonly strategy: Maybe<Scalars['String']['output']>;
  readonly bid: Maybe<Scalars['Bps']['output']>;
  readonly ask: Maybe<Scalars['Bps']['output']>;
  readonly doubleMid: Maybe<Scalars['Float']['output']>;
  readonly ownBid: Maybe<Scalars['Bps']['output']>;
  readonly ownAsk: Maybe<Scalars['Bps']['output']>;
  readonly bookAgeMs: Maybe<Scalars['Float']['output']>;
  readonly openOrders: Scalars['Int']['output'];
  readonly position: Scalars['MicroShares']['output'];
  readonly worth: Scalars['MicroUsd']['output'];
  readonly ifYes: Scalars['MicroUsd']['output'];
  readonly ifNo: Scalars['MicroUsd']['output'];
  readonly worst: Scalars['MicroUsd']['output'];
  readonly stopped: Maybe<Scalars['String']['output']>;
  readonly twoSided: Maybe<Scalars['Float']['output']>;
};

export type Market = {
  readonly line: MarketLine;
  readonly tickBps: Scalars['Float']['output'];
  readonly minShares: Scalars['MicroShares']['output'];
  readonly feeBps: Maybe<Scalars['Float']['output']>;
  readonly endsAt: Maybe<Scalars['Time']['output']>;
  readonly averagePrice: Maybe<Scalars['Bps']['output']>;
  readonly bids: ReadonlyArray<Level>;
  readonly asks: ReadonlyArray<Level>;
  readonly trades: ReadonlyArray<Trade>;
  readonly orders: ReadonlyArray<Order>;
  readonly wants: ReadonlyArray<Want>;
  readonly today: PnlByCause;
  readonly run: PnlByCause;
  readonly markouts: ReadonlyArray<Markout>;
  readonly uptime: Maybe<Uptime>;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly limits: ReadonlyArray<LimitUse>;
};

export type Level = {
  readonly price: Scalars['Bps']['output'];
  readonly shares: Scalars['MicroShares']['output'];
  readonly own: Scalars['MicroShares']['output'];
  readonly ahead: Maybe<Scalars['MicroShares']['output']>;
};

export type Trade = {
  readonly time: Scalars['Time']['output'];
  readonly taker: Maybe<Side>;
  readonly price: Scalars['Bps']['output'];
  readonly shares: Scalars['MicroShares']['output'];
  readonly own: Scalars['Boolean']['output'];
};

export type Order = {
  readonly bot: Scalars['ID']['output'];
  readonly order: Scalars['ID']['output'];
  readonly market: Scalars['String']['output'];
  readonly side: Side;
  readonly price: Scalars['Bps']['output'];
  readonly outcome: Scalars['String']['output'];
  readonly remaining: Scalars['MicroShares']['output'];
  readonly phase: Scalars['String']['output'];
  readonly since: Scalars['Time']['output'];
  readonly tag: Maybe<Scalars['String']['output']>;
};

export type FillFilter = {
  readonly bot?: InputMaybe<Scalars['ID']['input']>;
  readonly market?: InputMaybe<Scalars['String']['input']>;
  readonly from?: InputMaybe<Scalars['Time']['input']>;
  readonly until?: InputMaybe<Scalars['Time']['input']>;
  readonly side?: InputMaybe<Side>;
};

export type Fill = {
  readonly bot: Scalars['ID']['output'];
  readonly time: Scalars['Time']['output'];
  readonly market: Scalars['String']['output'];
  readonly side: Side;
  readonly price: Scalars['Bps']['output'];
  readonly outcome: Scalars['String']['output'];
  readonly shares: Scalars['MicroShares']['output'];
  readonly fee: Scalars['MicroUsd']['output'];
  readonly maker: Scalars['Boolean']['output'];
  readonly trade: Maybe<Scalars['String']['output']>;
  readonly tag: Maybe<Scalars['String']['output']>;
};

export type Want = {
  readonly side: Side;
  readonly level: Scalars['Int']['output'];
  readonly wantsPrice: Maybe<Scalars['Bps']['output']>;
  readonly wantsShares: Maybe<Scalars['MicroShares']['output']>;
  readonly standsPrice: Maybe<Scalars['Bps']['output']>;
  readonly standsShares: Maybe<Scalars['MicroShares']['output']>;
  readonly difference: Scalars['String']['output'];
};

export type Markout = {
  readonly after: Scalars['String']['output'];
  readonly bps: Maybe<Scalars['Float']['output']>;
  readonly low: Maybe<Scalars['Float']['output']>;
  readonly high: Maybe<Scalars['Float']['output']>;
  readonly fills: Scalars['Int']['output'];
};

export type Uptime = {
  readonly both: Scalars['Float']['output'];
  readonly bidOnly: Scalars['Float']['output'];
  readonly askOnly: Scalars['Float']['output'];
  readonly none: Scalars['Float']['output'];
  readonly bidAtBest: Scalars['Float']['output'];
  readonly askAtBest: Scalars['Float']['output'];
};

export type Parameter = {
  readonly strategy: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly value: Maybe<Scalars['Json']['output']>;
  readonly help: Maybe<Scalars['String']['output']>;
  readonly minimum: Maybe<Scalars['Float']['output']>;
  readonly maximum: Maybe<Scalars['Float']['output']>;
};

export type MarketHistory = {
  readonly from: Scalars['Time']['output'];
  readonly until: Scalars['Time']['output'];
  readonly oldest: Maybe<Scalars['Time']['output']>;
  readonly time: ReadonlyArray<Scalars['Time']['output']>;
  readonly doubleMid: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly ownBid: ReadonlyArray<Maybe<Scalars['Bps']['output']>>;
  readonly ownAsk: ReadonlyArray<Maybe<Scalars['Bps']['output']>>;
  readonly position: ReadonlyArray<Maybe<Scalars['MicroShares']['output']>>;
  readonly fills: ReadonlyArray<Fill>;
  readonly fillCount: Scalars['Int']['output'];
};

export type EquityHistory = {
  readonly time: ReadonlyArray<Scalars['Time']['output']>;
  readonly equity: ReadonlyArray<Scalars['MicroUsd']['output']>;
  readonly total: ReadonlyArray<Scalars['MicroUsd']['output']>;
  readonly spread: ReadonlyArray<Scalars['MicroUsd']['output']>;
  readonly inventory: ReadonlyArray<Scalars['MicroUsd']['output']>;
};

export type LogLine = {
  readonly time: Scalars['Time']['output'];
  readonly level: LogLevel;
  readonly message: Scalars['String']['output'];
  readonly fields: Scalars['String']['output'];
};

export type Report = {
  readonly id: Scalars['ID']['output'];
  readonly title: Scalars['String']['output'];
  readonly time: Scalars['Time']['output'];
  readonly bytes: Scalars['Float']['output'];
  readonly url: Scalars['String']['output'];
};

export type Study = {
  readonly id: Scalars['ID']['output'];
  readonly title: Scalars['String']['output'];
  readonly time: Scalars['Time']['output'];
  readonly bytes: Scalars['Float']['output'];
  readonly url: Scalars['String']['output'];
  readonly run: Maybe<StudyRun>;
};

export type StudyRun = {
  readonly host: Scalars['String']['output'];
  readonly pid: Scalars['Int']['output'];
  readonly startedAt: Scalars['Time']['output'];
  readonly writtenAt: Scalars['Time']['output'];
  readonly isAlive: Scalars['Boolean']['output'];
  readonly done: Scalars['Int']['output'];
  readonly total: Scalars['Int']['output'];
  readonly failed: Scalars['Int']['output'];
  readonly perSecond: Scalars['Float']['output'];
  readonly leftMs: Maybe<Scalars['Float']['output']>;
  readonly best: Maybe<Scalars['String']['output']>;
  readonly threads: Scalars['Int']['output'];
  readonly notices: ReadonlyArray<Notice>;
  readonly remote: Maybe<RemoteWork>;
};

export type Notice = {
  readonly time: Scalars['Time']['output'];
  readonly text: Scalars['String']['output'];
};

export type RemoteWork = {
  readonly problem: Maybe<Scalars['String']['output']>;
  readonly connected: Scalars['Int']['output'];
  readonly queued: Scalars['Int']['output'];
  readonly returned: Scalars['Int']['output'];
  readonly lost: Scalars['Int']['output'];
  readonly computingSeconds: Scalars['Float']['output'];
  readonly costUsd: Maybe<Scalars['Float']['output']>;
  readonly workers: ReadonlyArray<StudyWorker>;
};

export type StudyWorker = {
  readonly name: Scalars['ID']['output'];
  readonly host: Scalars['String']['output'];
  readonly threads: Scalars['Int']['output'];
  readonly state: Scalars['String']['output'];
  readonly backtests: Scalars['Int']['output'];
  readonly failed: Scalars['Int']['output'];
  readonly returned: Scalars['Int']['output'];
  readonly perSecond: Scalars['Float']['output'];
  readonly silentMs: Scalars['Float']['output'];
};

export type BotAction =
  | 'PAUSE'
  | 'RESUME'
  | 'REDUCE'
  | 'FLATTEN'
  | 'KILL'
  | 'CANCEL_ALL';

export type ActionResult = {
  readonly bot: Scalars['ID']['output'];
  readonly done: Scalars['Boolean']['output'];
  readonly text: Scalars['String']['output'];
  readonly mode: Maybe<TradingMode>;
};

export type AuditEntry = {
  readonly time: Scalars['Time']['output'];
  readonly who: Role;
  readonly from: Scalars['String']['output'];
  readonly bot: Scalars['ID']['output'];
  readonly action: Scalars['String']['output'];
  readonly details: Scalars['String']['output'];
  readonly done: Scalars['Boolean']['output'];
  readonly text: Scalars['String']['output'];
};
