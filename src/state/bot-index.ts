import { type BotNo, counted, type OrderNo } from '../domain/index.ts';

const PAGE = 65_536;

/** Which bot sent an order, for every order ever sent: two bytes each, in pages, as numbers count up. */
export class BotIndex {
  /** Bot number + 1; 0 stands for nobody. */
  readonly #pages = new Map<number, Uint16Array>();
  /** The page asked for last: open orders have numbers close to each other. */
  #number = -1;
  #page: Uint16Array | undefined;

  set(order: OrderNo, bot: BotNo): void {
    let page = this.#pageOf(order);
    if (page === undefined) {
      page = new Uint16Array(PAGE);
      this.#pages.set(this.#number, page);
      this.#page = page;
    }
    page[order % PAGE] = bot + 1;
  }

  get(order: OrderNo): BotNo | undefined {
    const entry = this.#pageOf(order)?.[order % PAGE] ?? 0;
    return entry === 0 ? undefined : counted.bot(entry - 1);
  }

  #pageOf(order: OrderNo): Uint16Array | undefined {
    const number = Math.floor(order / PAGE);
    if (number !== this.#number) {
      this.#number = number;
      this.#page = this.#pages.get(number);
    }
    return this.#page;
  }
}
