/** Prometheus metrics of a bot. They are computed on each scrape, so they cost the bot's loop nothing. */
import { createServer, type Server } from 'node:http';
import { Counter, Gauge, Registry } from 'prom-client';
import { InputFault } from '../../domain/index.ts';
import type { BotStatus } from '../control/bot-port.ts';
import type { Tally } from './tally.ts';

export interface MetricsSource {
  readonly status: () => BotStatus;
  readonly tally: Tally;
  /** Memory of the process, bytes. */
  readonly memory: () => number;
}

const DOLLAR = 1_000_000;
const MODES = ['ACTIVE', 'REDUCING', 'PAUSED', 'KILLED'] as const;
/** Why no order is signed in a market (`MarketStatusLine.stopped`). */
const STOPS = ['FEE_ABOVE_MAX', 'FEE_ROSE'] as const;

export function botMetrics({ status, tally, memory }: MetricsSource): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name: `halfspread_bot_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  const gauges = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void => {
    new Gauge({
      name: `halfspread_bot_${name}`,
      help,
      registers: [registry],
      labelNames: [label],
      collect() {
        for (const [key, value] of Object.entries(read())) this.set({ [label]: key }, value);
      },
    });
  };
  const counts = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void => {
    new Counter({
      name: `halfspread_bot_${name}`,
      help,
      registers: [registry],
      labelNames: [label],
      collect() {
        this.reset();
        for (const [key, value] of Object.entries(read())) this.inc({ [label]: key }, value);
      },
    });
  };
  gauge('up', '1 while the bot runs.', () => 1);
  gauge('link_up', '1 while the venue is connected.', () => (status().link === 'UP' ? 1 : 0));
  gauge(
    'account_agrees',
    '1 while orders, positions and cash agree with the venue, as far as they were compared.',
    () => (status().reconciled === 'agrees' ? 1 : 0),
  );
  gauge('clock_skew_ms', 'Least difference between the clocks.', () => status().clockSkewMs);
  gauge('equity_usd', 'Cash and holdings at the exit side.', () => status().equity / DOLLAR);
  gauge('pnl_usd', 'Profit and loss since this process began.', () => status().run.pnl / DOLLAR);
  gauge('cash_usd', 'Cash, reserves included.', () => status().cash / DOLLAR);
  gauge('open_orders', 'Orders that are or may be open.', () => status().openOrders);
  gauge('markets', 'Markets that are traded.', () => status().markets.length);
  gauge('oldest_book_ms', 'Age of the oldest book. A quoted one that never came is as old as the process.', () =>
    oldestBook(status()),
  );
  gauge('memory_bytes', 'Memory that the process holds.', memory);
  gauge('volume_usd', 'Price times shares of all fills since this process began.', () => tally.volume / DOLLAR);
  gauge('fees_usd', 'Fees paid since this process began.', () => tally.fees / DOLLAR);
  gauges('mode', '1 for the current trading mode.', 'mode', () =>
    Object.fromEntries(MODES.map((mode) => [mode, mode === status().mode ? 1 : 0])),
  );
  gauges('stopped_markets', 'Markets in which no order is signed, by reason.', 'code', () =>
    Object.fromEntries(STOPS.map((code) => [code, status().markets.filter(({ stopped }) => stopped === code).length])),
  );
  counts('commands_total', 'Commands sent, by type.', 'type', () => tally.commands);
  counts('refused_total', 'Intents that risk limits refused, by code.', 'code', () => tally.refused);
  counts('rejected_total', 'Commands that the venue refused, by reason.', 'reason', () => tally.rejected);
  counts('fills_total', 'Fills, by liquidity.', 'liquidity', () => ({
    maker: tally.makerFills,
    taker: tally.fillCount - tally.makerFills,
  }));
  return registry;
}

function oldestBook({ markets, now, startedAt }: BotStatus): number {
  const ages = markets.map(({ bookAgeMs, acceptingOrders, strategy }) => {
    const isAwaited = acceptingOrders && strategy !== null;
    return bookAgeMs ?? (isAwaited ? now - startedAt : 0);
  });
  return Math.max(0, ...ages);
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers `GET /metrics`. @throws InputFault when it cannot listen there */
export async function serveMetrics(registry: Registry, port: number, host: string): Promise<MetricsServer> {
  const server = createServer((request, answer) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      answer.writeHead(404).end('GET /metrics\n');
      return;
    }
    registry.metrics().then(
      (text) => answer.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => answer.writeHead(500).end(`${String(error)}\n`),
    );
  });
  await listening(server, port, host);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new InputFault('metrics.port', port, `a port of ${host} that no other process listens on`, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}
