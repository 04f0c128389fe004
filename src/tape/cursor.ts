import type { Block } from './block.ts';

/** HOT: one row of a block, or the message that begins there. Reused, so valid only during the call that receives it. */
export class Cursor {
  block: Block;
  row = 0;

  constructor(block: Block) {
    this.block = block;
  }

  get tx(): number {
    return this.block.tx[this.row]!;
  }
  get rx(): number {
    return this.block.rx[this.row]!;
  }
  get market(): number {
    return this.block.market[this.row]!;
  }
  get kind(): number {
    return this.block.kind[this.row]!;
  }
  get side(): number {
    return this.block.side[this.row]!;
  }
  get price(): number {
    return this.block.price[this.row]!;
  }
  get shares(): number {
    return this.block.shares[this.row]!;
  }
}
