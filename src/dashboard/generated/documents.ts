/** Documents of the page: one for each field of the API, with all that it answers. Made by `npm run codegen`: do not edit. */
import type * as Api from './schema-types.ts';

/** The text of an operation; its types are those of its answer and its variables. */
export interface Document<Answer, Variables> {
  readonly text: string;
  readonly types?: readonly [Answer, Variables];
}

export const viewerQuery: Document<Pick<Api.Query, 'viewer'>, Record<string, never>> = {
  text: 'query { viewer { role version now } }',
};
export const botsQuery: Document<Pick<Api.Query, 'bots'>, Record<string, never>> = {
  text: 'query { bots { id health healthReason seenAt clockAheadMs state { kind pid version startedAt now account venue mode modeReason killReason killVerified venueMode venueModeReason nextStep link reconciled recovery clockSkewMs cash available equity pnl today { from total spread inventory settlement fees rewards rounding } openOrders fills worstCase twoSided refused { name count } rejected { name count } limits { name scope used limit unit atBreach } maxBookAgeMs rates { bucket left capacity perSecond } answerTimes { count p50Ms p99Ms } strategies markets { slug question event status acceptingOrders strategy bid ask doubleMid ownBid ownAsk bookAgeMs openOrders position worth ifYes ifNo worst stopped twoSided } alerts { id kind level text time count acknowledged } } } }',
};
export const marketQuery: Document<Pick<Api.Query, 'market'>, Api.QueryMarketArgs> = {
  text: 'query ($bot: ID!, $market: String!) { market(bot: $bot, market: $market) { line { slug question event status acceptingOrders strategy bid ask doubleMid ownBid ownAsk bookAgeMs openOrders position worth ifYes ifNo worst stopped twoSided } tickBps minShares feeBps endsAt averagePrice bids { price shares own ahead } asks { price shares own ahead } trades { time taker price shares own } orders { bot order market side price outcome remaining phase since tag } quotes { side level wantedPrice wantedShares restingPrice restingShares difference } today { from total spread inventory settlement fees rewards rounding } run { from total spread inventory settlement fees rewards rounding } markouts { after bps low high fills } uptime { both bidOnly askOnly none bidAtBest askAtBest } parameters { strategy name value help minimum maximum } limits { name scope used limit unit atBreach } } }',
};
export const historyQuery: Document<Pick<Api.Query, 'history'>, Omit<Api.QueryHistoryArgs, 'points'> & Partial<Pick<Api.QueryHistoryArgs, 'points'>>> = {
  text: 'query ($bot: ID!, $market: String!, $rangeMs: Float!, $until: Time, $points: Int! = 1000) { history(bot: $bot, market: $market, rangeMs: $rangeMs, until: $until, points: $points) { from until oldest time doubleMid ownBid ownAsk position fills { bot time market side price outcome shares fee maker trade tag } fillCount } }',
};
export const equityQuery: Document<Pick<Api.Query, 'equity'>, Omit<Api.QueryEquityArgs, 'points'> & Partial<Pick<Api.QueryEquityArgs, 'points'>>> = {
  text: 'query ($bot: ID!, $points: Int! = 200) { equity(bot: $bot, points: $points) { time equity total spread inventory } }',
};
export const ordersQuery: Document<Pick<Api.Query, 'orders'>, Api.QueryOrdersArgs> = {
  text: 'query ($bot: ID) { orders(bot: $bot) { bot order market side price outcome remaining phase since tag } }',
};
export const fillsQuery: Document<Pick<Api.Query, 'fills'>, Omit<Api.QueryFillsArgs, 'filter' | 'first'> & Partial<Pick<Api.QueryFillsArgs, 'filter' | 'first'>>> = {
  text: 'query ($filter: FillFilter! = {}, $first: Int! = 100) { fills(filter: $filter, first: $first) { bot time market side price outcome shares fee maker trade tag } }',
};
export const logQuery: Document<Pick<Api.Query, 'log'>, Omit<Api.QueryLogArgs, 'level' | 'first'> & Partial<Pick<Api.QueryLogArgs, 'level' | 'first'>>> = {
  text: 'query ($bot: ID!, $level: LogLevel! = INFO, $first: Int! = 200) { log(bot: $bot, level: $level, first: $first) { seq time level message fields } }',
};
export const reportsQuery: Document<Pick<Api.Query, 'reports'>, Record<string, never>> = {
  text: 'query { reports { id title time bytes url } }',
};
export const studiesQuery: Document<Pick<Api.Query, 'studies'>, Record<string, never>> = {
  text: 'query { studies { id title time bytes url run { host pid startedAt writtenAt isAlive done total failed perSecond leftMs best threads notices { time text } remote { problem connected queued returned lost computingSeconds costUsd workers { name host threads state backtests failed returned perSecond silentMs } } } } }',
};
export const auditQuery: Document<Pick<Api.Query, 'audit'>, Omit<Api.QueryAuditArgs, 'first'> & Partial<Pick<Api.QueryAuditArgs, 'first'>>> = {
  text: 'query ($first: Int! = 100) { audit(first: $first) { time who from bot action details done text } }',
};
export const actMutation: Document<Pick<Api.Mutation, 'act'>, Api.MutationActArgs> = {
  text: 'mutation ($bot: ID!, $action: BotAction!, $reason: String) { act(bot: $bot, action: $action, reason: $reason) { bot done text mode } }',
};
export const killAllMutation: Document<Pick<Api.Mutation, 'killAll'>, Api.MutationKillAllArgs> = {
  text: 'mutation ($kind: BotKind!, $reason: String) { killAll(kind: $kind, reason: $reason) { bot done text mode } }',
};
export const cancelOrderMutation: Document<Pick<Api.Mutation, 'cancelOrder'>, Api.MutationCancelOrderArgs> = {
  text: 'mutation ($bot: ID!, $order: ID!) { cancelOrder(bot: $bot, order: $order) { bot done text mode } }',
};
export const setParameterMutation: Document<Pick<Api.Mutation, 'setParameter'>, Api.MutationSetParameterArgs> = {
  text: 'mutation ($bot: ID!, $name: String!, $value: Json!, $market: String, $strategy: String) { setParameter(bot: $bot, name: $name, value: $value, market: $market, strategy: $strategy) { bot done text mode } }',
};
export const addMarketMutation: Document<Pick<Api.Mutation, 'addMarket'>, Api.MutationAddMarketArgs> = {
  text: 'mutation ($bot: ID!, $market: String!) { addMarket(bot: $bot, market: $market) { bot done text mode } }',
};
export const removeMarketMutation: Document<Pick<Api.Mutation, 'removeMarket'>, Api.MutationRemoveMarketArgs> = {
  text: 'mutation ($bot: ID!, $market: String!) { removeMarket(bot: $bot, market: $market) { bot done text mode } }',
};
export const acknowledgeMutation: Document<Pick<Api.Mutation, 'acknowledge'>, Api.MutationAcknowledgeArgs> = {
  text: 'mutation ($bot: ID!, $alert: ID!) { acknowledge(bot: $bot, alert: $alert) }',
};
export const botsSubscription: Document<Pick<Api.Subscription, 'bots'>, Record<string, never>> = {
  text: 'subscription { bots { id health healthReason seenAt clockAheadMs state { kind pid version startedAt now account venue mode modeReason killReason killVerified venueMode venueModeReason nextStep link reconciled recovery clockSkewMs cash available equity pnl today { from total spread inventory settlement fees rewards rounding } openOrders fills worstCase twoSided refused { name count } rejected { name count } limits { name scope used limit unit atBreach } maxBookAgeMs rates { bucket left capacity perSecond } answerTimes { count p50Ms p99Ms } strategies markets { slug question event status acceptingOrders strategy bid ask doubleMid ownBid ownAsk bookAgeMs openOrders position worth ifYes ifNo worst stopped twoSided } alerts { id kind level text time count acknowledged } } } }',
};
export const marketSubscription: Document<Pick<Api.Subscription, 'market'>, Api.SubscriptionMarketArgs> = {
  text: 'subscription ($bot: ID!, $market: String!) { market(bot: $bot, market: $market) { line { slug question event status acceptingOrders strategy bid ask doubleMid ownBid ownAsk bookAgeMs openOrders position worth ifYes ifNo worst stopped twoSided } tickBps minShares feeBps endsAt averagePrice bids { price shares own ahead } asks { price shares own ahead } trades { time taker price shares own } orders { bot order market side price outcome remaining phase since tag } quotes { side level wantedPrice wantedShares restingPrice restingShares difference } today { from total spread inventory settlement fees rewards rounding } run { from total spread inventory settlement fees rewards rounding } markouts { after bps low high fills } uptime { both bidOnly askOnly none bidAtBest askAtBest } parameters { strategy name value help minimum maximum } limits { name scope used limit unit atBreach } } }',
};
export const logSubscription: Document<Pick<Api.Subscription, 'log'>, Omit<Api.SubscriptionLogArgs, 'level'> & Partial<Pick<Api.SubscriptionLogArgs, 'level'>>> = {
  text: 'subscription ($bot: ID!, $level: LogLevel! = INFO, $after: Int) { log(bot: $bot, level: $level, after: $after) { seq time level message fields } }',
};
