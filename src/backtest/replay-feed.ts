import { BLOCK_ROWS, type Block, BlockWriter, copyRows, type Feed, KIND, makeBlock } from '../tape/index.ts';

/** One market as the rows before the window left it. */
interface Image {
  readonly levels: Map<number, number>;
  status: number | undefined;
  placeDelay: number | undefined;
  resolution: number | undefined;
}

/** Side and price as one key. */
const SIDE_STEP = 65_536;

/**
 * The part of one tape that is replayed, and its count. Rows tell changes, not states: where the replay begins in the
 * middle, the rows before are read all the same, and the book they leave opens it as one message a market.
 */
export class ReplayFeed implements Feed {
  readonly #source: Feed;
  readonly #from: number;
  #opened = false;
  /** What `fill` hands out before it goes on reading. */
  readonly #waiting: Block[] = [];
  #read = 0;
  #replayed = 0;
  #firstTime: number | undefined;
  #lastTime: number | undefined;

  /** @param from exchange time of the first message, epoch ms; undefined for the whole tape */
  constructor(source: Feed, from: number | undefined) {
    this.#source = source;
    this.#from = from ?? Number.NEGATIVE_INFINITY;
  }

  /** Rows read so far, those before the window too. */
  get read(): number {
    return this.#read;
  }
  /** Rows handed on so far, without the image that opened the window. */
  get replayed(): number {
    return this.#replayed;
  }
  /** Exchange times of the first and last row handed on. */
  get firstTime(): number | undefined {
    return this.#firstTime;
  }
  get lastTime(): number | undefined {
    return this.#lastTime;
  }

  fill(block: Block): number {
    if (!this.#opened) this.#open();
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      copyRows(waiting, 0, waiting.count, block, 0);
      block.count = waiting.count;
      return block.count;
    }
    const count = this.#source.fill(block);
    this.#read += count;
    this.#count(block, 0, count);
    return count;
  }

  close(): void {
    this.#source.close();
  }

  #open(): void {
    this.#opened = true;
    if (this.#from === Number.NEGATIVE_INFINITY) return;
    const images = new Map<number, Image>();
    const block = makeBlock(BLOCK_ROWS);
    for (;;) {
      const count = this.#source.fill(block);
      this.#read += count;
      let row = 0;
      for (; row < count && (block.tx[row] ?? 0) < this.#from; row += 1) fold(block, row, images);
      if (row === count && count > 0) continue;
      this.#waiting.push(...opening(images, this.#from));
      if (count === 0) return;
      const rest = makeBlock(count - row);
      copyRows(block, row, count, rest, 0);
      rest.count = count - row;
      this.#count(rest, 0, rest.count);
      this.#waiting.push(rest);
      return;
    }
  }

  #count(block: Block, from: number, to: number): void {
    if (to === from) return;
    this.#replayed += to - from;
    this.#firstTime ??= block.tx[from];
    this.#lastTime = block.tx[to - 1];
  }
}

function fold(block: Block, row: number, images: Map<number, Image>): void {
  const market = block.market[row] ?? 0;
  const price = block.price[row] ?? 0;
  const shares = block.shares[row] ?? 0;
  let image = images.get(market);
  if (image === undefined) {
    image = { levels: new Map(), status: undefined, placeDelay: undefined, resolution: undefined };
    images.set(market, image);
  }
  switch (block.kind[row]) {
    case KIND.level: {
      const key = (block.side[row] ?? 0) * SIDE_STEP + price;
      if (shares === 0) image.levels.delete(key);
      else image.levels.set(key, shares);
      break;
    }
    case KIND.clear:
      image.levels.clear();
      break;
    case KIND.status:
      image.status = price;
      break;
    case KIND.placeDelay:
      image.placeDelay = shares;
      break;
    case KIND.resolution:
      image.resolution = price;
      break;
    default:
  }
}

/** One message a market: its state, then its levels. */
function opening(images: ReadonlyMap<number, Image>, time: number): readonly Block[] {
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => {
    const copy = makeBlock(block.count);
    copyRows(block, 0, block.count, copy, 0);
    copy.count = block.count;
    blocks.push(copy);
  });
  for (const [market, { levels, status, placeDelay, resolution }] of [...images].sort(([a], [b]) => a - b)) {
    writer.begin(time, time);
    if (placeDelay !== undefined) writer.row(market, KIND.placeDelay, 0, 0, placeDelay);
    if (status !== undefined) writer.row(market, KIND.status, 0, status, 0);
    for (const [key, shares] of levels) {
      writer.row(market, KIND.level, Math.floor(key / SIDE_STEP), key % SIDE_STEP, shares);
    }
    if (resolution !== undefined) writer.row(market, KIND.resolution, 0, resolution, 0);
    writer.end();
  }
  writer.finish();
  return blocks;
}
