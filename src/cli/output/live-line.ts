/** A status line of a bot at the bottom of the terminal, below all other output. */
import { counted, formatUsd, microUsd } from '../../domain/index.ts';
import { type BotStatus, isBookMissing, oldestBookMs, readableLine } from '../../ops/index.ts';
import type { TextOutput } from './terminal.ts';

export class LiveLine {
  readonly #out: TextOutput;
  #line = '';

  /** Draws nothing without a terminal. */
  constructor(out: TextOutput) {
    this.#out = out;
  }

  get isShown(): boolean {
    return this.#out.isTty;
  }

  /** Writes complete lines above the status line. A terminal gets log lines in readable form. */
  write(text: string): void {
    this.#clear();
    this.#out.write(this.#out.isTty ? readableLine(text) : text);
    this.#draw();
  }

  show(status: BotStatus): void {
    if (!this.#out.isTty) return;
    this.#clear();
    this.#line = formatStatusLine(status, this.#out.columns - 1);
    this.#draw();
  }

  end(): void {
    this.#clear();
    this.#line = '';
  }

  /** Writes directly to the stream, as `write` would escape control codes. */
  #clear(): void {
    if (this.#out.isTty && this.#line !== '') this.#out.stream.write('\r\u001b[2K');
  }

  #draw(): void {
    if (this.#out.isTty && this.#line !== '') this.#out.write(this.#line);
  }
}

/** Formats a status in at most `columns` characters. Omits parts that do not fit, the least important (last) first. */
export function formatStatusLine(status: BotStatus, columns = Number.POSITIVE_INFINITY): string {
  const { mode, link, reconciled, venueMode, markets, openOrders, fills, pnl, equity, clockSkewMs } = status;
  const missing = markets.filter(isBookMissing).length;
  const heldShares = markets.reduce((sum, { position }) => sum + Math.abs(position), 0) / 1_000_000;
  const isHealthy = link === 'UP' && venueMode === 'NORMAL';
  const parts = [
    mode,
    ...(isHealthy ? [] : [link === 'UP' ? `venue ${venueMode}` : 'venue DOWN']),
    ...(reconciled === 'agrees' ? [] : [reconciled === 'comparing' ? 'comparing the account' : 'ACCOUNT DISAGREES']),
    ...(clockSkewMs > 1_000 ? [`clock off by ${Math.round(clockSkewMs)} ms`] : []),
    `p&l ${formatUsd(microUsd(Math.round(pnl)))}`,
    `${openOrders} open`,
    counted(fills, 'fill'),
    `${heldShares} held`,
    `equity ${formatUsd(microUsd(Math.round(equity)))}`,
    missing === 0
      ? `book ${(oldestBookMs(status) / 1_000).toFixed(1)} s`
      : `no book in ${missing} of ${markets.length}`,
    counted(markets.length, 'market'),
    ...(isHealthy ? ['venue NORMAL'] : []),
  ];
  while (parts.length > 1 && parts.join(' | ').length > columns) parts.pop();
  return parts.join(' | ').slice(0, columns);
}
