/** Records the accounts and markets that a batch may have changed, so that feeds check no others. */
import type { ExchangeEvent, ExchangeView } from '../../exchange/index.ts';

export class BatchChanges {
  /** Markets whose quotes, book or last trade may have changed. */
  readonly markets = new Set<number>();
  /** Accounts whose orders have events. */
  readonly orderAccounts = new Set<number>();
  /** Accounts whose cash may have changed. */
  readonly cashAccounts = new Set<number>();
  /** Markets in which positions may have changed, by account. */
  readonly holdings = new Map<number, Set<number>>();
  hasVenueChanged = false;
  readonly #view: ExchangeView;
  readonly #findMarket: (order: number) => number | undefined;
  /** Markets of the orders that the command placed. */
  readonly #marketByPlacedOrder = new Map<number, number>();

  /** @param findMarket returns the market of an order that was open before the command */
  constructor(view: ExchangeView, findMarket: (order: number) => number | undefined) {
    this.#view = view;
    this.#findMarket = findMarket;
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) this.#add(event);
    this.#marketByPlacedOrder.clear();
  }

  clear(): void {
    this.markets.clear();
    this.orderAccounts.clear();
    this.cashAccounts.clear();
    this.holdings.clear();
    this.hasVenueChanged = false;
  }

  #add(event: ExchangeEvent): void {
    switch (event.type) {
      case 'accepted':
        this.#marketByPlacedOrder.set(event.order, event.terms.market);
        this.#addOrder(event.order, event.terms.market);
        return;
      case 'traded':
        this.#addOrder(event.maker, event.market);
        this.#addOrder(event.taker, event.market);
        return;
      case 'reduced':
      case 'closed':
        this.#addOrder(event.order, this.#marketByPlacedOrder.get(event.order) ?? this.#findMarket(event.order));
        return;
      case 'rareEvent':
        this.#addRareEvent(event.event);
        return;
      default:
    }
  }

  #addRareEvent(event: Extract<ExchangeEvent, { readonly type: 'rareEvent' }>['event']): void {
    switch (event.type) {
      case 'marketChanged':
        this.markets.add(event.market);
        if (event.status === event.previous) return;
        // A change of status can change payouts and refunds, and therefore the claimable cash.
        for (const { account } of this.#view.holdingsIn(event.market)) this.#addHolding(account, event.market);
        return;
      case 'accountOpened':
      case 'transferred':
        this.cashAccounts.add(event.account);
        return;
      case 'converted':
      case 'claimed':
        this.#addHolding(event.account, event.market);
        return;
      case 'tradeReversed':
        this.#addOrder(event.maker, event.market);
        this.#addOrder(event.taker, event.market);
        return;
      case 'tapePlayed':
      case 'printed':
        this.markets.add(event.market);
        return;
      case 'venueChanged':
        this.hasVenueChanged = true;
        return;
      default:
    }
  }

  #addOrder(order: number, market: number | undefined): void {
    // Order 0 is a trader on a tape.
    if (order === 0) return;
    const account = this.#view.ownerOf(order);
    this.orderAccounts.add(account);
    if (market === undefined) return;
    this.markets.add(market);
    this.#addHolding(account, market);
  }

  #addHolding(account: number, market: number): void {
    this.cashAccounts.add(account);
    this.holdings.set(account, (this.holdings.get(account) ?? new Set()).add(market));
  }
}
