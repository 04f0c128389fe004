import { type BotNo, counted, type OrderNo } from '../domain/index.ts';

const PAGE = 65_536;

/** Which bot sent an order, for every order ever sent: two bytes each, in pages, as numbers count up. */
export class BotIndex {
  /** Bot number + 1; 0 stands for nobody. */
  readonly #pages = new Map<number, Uint16Array>();

  set(order: OrderNo, bot: BotNo): void {
    const number = Math.floor(order / PAGE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint16Array(PAGE);
      this.#pages.set(number, page);
    }
    page[order % PAGE] = bot + 1;
  }

  get(order: OrderNo): BotNo | undefined {
    const entry = this.#pages.get(Math.floor(order / PAGE))?.[order % PAGE] ?? 0;
    return entry === 0 ? undefined : counted.bot(entry - 1);
  }
}
