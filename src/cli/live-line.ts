/** One line at the bottom of a terminal that says how a bot stands, below whatever else is written there. */
import { formatUsd, microUsd } from '../domain/index.ts';
import type { BotStatus } from '../ops/index.ts';
import { readableLine } from './log-line.ts';
import type { TextOutput } from './terminal.ts';

export class LiveLine {
  readonly #out: TextOutput;
  #shown = '';

  /** Draws nothing where there is no terminal. */
  constructor(out: TextOutput) {
    this.#out = out;
  }

  /** Whole lines above it; those of the log in a form for people on a terminal. */
  write(text: string): void {
    this.#clear();
    this.#out.write(this.#out.isTty ? readableLine(text) : text);
    this.#draw();
  }

  show(status: BotStatus): void {
    if (!this.#out.isTty) return;
    this.#clear();
    this.#shown = lineOf(status).slice(0, this.#out.columns - 1);
    this.#draw();
  }

  end(): void {
    this.#clear();
    this.#shown = '';
  }

  /** Straight to the stream: what steers a cursor would be made harmless otherwise. */
  #clear(): void {
    if (this.#out.isTty && this.#shown !== '') this.#out.stream.write('\r\u001b[2K');
  }

  #draw(): void {
    if (this.#out.isTty && this.#shown !== '') this.#out.write(this.#shown);
  }
}

/** Mode, link, age of the oldest book, orders, fills, money. */
export function lineOf({
  mode,
  link,
  venueMode,
  markets,
  openOrders,
  fills,
  pnl,
  equity,
  clockSkewMs,
}: BotStatus): string {
  const oldest = Math.max(0, ...markets.map(({ bookAgeMs }) => bookAgeMs ?? 0));
  const position = markets.reduce((sum, market) => sum + Math.abs(market.position), 0) / 1_000_000;
  const venue = link === 'DOWN' ? 'venue DOWN' : `venue ${venueMode}`;
  return [
    mode,
    venue,
    `${markets.length} markets, oldest book ${(oldest / 1_000).toFixed(1)} s`,
    `${openOrders} open`,
    `${fills} fills`,
    `${position} shares held`,
    `p&l ${formatUsd(microUsd(Math.round(pnl)))}`,
    `equity ${formatUsd(microUsd(Math.round(equity)))}`,
    ...(clockSkewMs > 1_000 ? [`clock off by ${Math.round(clockSkewMs)} ms`] : []),
  ].join(' | ');
}
