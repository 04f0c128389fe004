import { type BotNo, counted, type OrderNo } from '../domain/index.ts';

const PAGE = 65_536;

/** Which bot sent an order, for every order ever sent: two bytes each, in pages, as numbers count up. */
export class BotIndex {
  /** Bot number + 1; 0 stands for nobody. No holes: a far number would turn the list into a hash table. */
  readonly #pages: (Uint16Array | undefined)[] = [];

  set(order: OrderNo, bot: BotNo): void {
    const page = this.#pages[Math.floor(order / PAGE)] ?? this.#newPage(Math.floor(order / PAGE));
    page[order % PAGE] = bot + 1;
  }

  get(order: OrderNo): BotNo | undefined {
    const entry = this.#pages[Math.floor(order / PAGE)]?.[order % PAGE] ?? 0;
    return entry === 0 ? undefined : counted.bot(entry - 1);
  }

  #newPage(number: number): Uint16Array {
    while (this.#pages.length <= number) this.#pages.push(undefined);
    const page = new Uint16Array(PAGE);
    this.#pages[number] = page;
    return page;
  }
}
