import { resolve } from 'node:path';
import { z } from 'zod';
import { secureSeed, seededRandom } from '../../clock/index.ts';
import { formatTime, timeAfter, ZERO_USD } from '../../domain/index.ts';
import { FrameLog, Recording } from '../../history/index.ts';
import { createLog, Redactor } from '../../ops/index.ts';
import { AccountState } from '../../state/index.ts';
import { createMarketData, createTransport, endpointOf, readTerms } from '../../venues/remote/index.ts';
import { readLiveFile } from '../live-file.ts';
import { openGrids } from '../live-grids.ts';
import { readLiveMarkets } from '../live-markets.ts';
import { tapeHead } from '../live-recording.ts';
import { listenForSignals } from '../live-signals.ts';
import type { Session } from '../session.ts';
import { version } from '../version.ts';
import { openVenue } from '../wire-venue.ts';

const optionsSchema = z.object({
  out: z.string().min(1).optional(),
  seconds: z.coerce.number().positive().optional(),
  raw: z.boolean().default(false),
  json: z.boolean().default(false),
  set: z.array(z.string()).default([]),
});

const FLUSH_MS = 1_000;

/** Writes the market data of a venue to a tape until a signal, or for a while. Needs no account and sends no order. */
export async function record({ terminal }: Session, config: string, given: unknown): Promise<void> {
  const options = optionsSchema.parse(given);
  const live = readLiveFile(config, terminal.cwd, options.set);
  const { file } = live;
  const redactor = new Redactor();
  const { clock, headers, operations, line } = await openVenue(live, redactor);
  const log = createLog({ level: file.log.level, redactor, write: (text) => terminal.err.write(text) });
  const { url, ws_url: wsUrl, timeout_ms: timeoutMs, depth, silence_ms: silenceMs } = file.venue;
  const endpoint = endpointOf({ url, headers, ...(wsUrl === undefined ? {} : { wsUrl }) });
  const random = seededRandom(secureSeed());
  let frames: FrameLog | undefined;
  const tap = (frame: Buffer, socket: number): void => frames?.take(frame, socket, clock.now());
  const transport = createTransport({
    endpoint,
    random,
    operations,
    clock,
    log,
    settings: { timeoutMs },
    ...(options.raw ? { tap } : {}),
  });
  const signals = listenForSignals(() => {});
  const failed = Promise.withResolvers<unknown>();
  let recording: Recording | undefined;
  let cancel = (): void => {};
  try {
    const terms = await readTerms(transport);
    const wanted = { markets: file.markets, grids: openGrids(live), state: undefined };
    const { present } = await readLiveMarkets({ transport, terms, ...wanted });
    const { markets } = new AccountState({ cash: ZERO_USD, markets: present.map(({ setup }) => setup) });
    const head = tapeHead(markets);
    const name = `${formatTime(clock.now()).replaceAll(':', '-')}.tape`;
    const path = resolve(terminal.cwd, options.out ?? `recordings/${name}`);
    const onFault = (fault: Error): void => failed.reject(fault);
    recording = new Recording({ path, head: () => head, onFault });
    if (options.raw) {
      const session = { format: 1, version: version(), venue: line.base };
      frames = new FrameLog({ path: path.replace(/(\.tape)?$/, '.frames'), head: session, onFault });
    }
    const rows = recording;
    const marketData = createMarketData({ transport, terms, settings: { depth, silenceMs } });
    await transport.open();
    await marketData.start(present, {
      rows: (block, from, to) => rows.take(block, from, to),
      limitsChanged: () => {},
      venueChanged: ({ mode, link }) => log.info({ mode, link }, 'the venue'),
      marketFailed: (market, fault) => log.warn({ market, err: fault }, 'a market is recorded no further'),
      failed: (error) => failed.reject(error),
    });
    terminal.err.write(
      `recording ${present.length} ${present.length === 1 ? 'market' : 'markets'} of ${line.base} to ${path}\n`,
    );
    const arm = (): void => {
      cancel = clock.schedule(timeAfter(clock.now(), FLUSH_MS), () => {
        rows.flush();
        frames?.flush();
        arm();
      });
    };
    arm();
    const over = new Promise((done) => {
      if (options.seconds !== undefined)
        clock.schedule(timeAfter(clock.now(), Math.round(1_000 * options.seconds)), () => done('over'));
    });
    await Promise.race([signals.asked, failed.promise, over]);
    marketData.close();
    const manifest = rows.finish();
    const told = {
      file: manifest === undefined ? null : path,
      rows: manifest?.rows ?? 0,
      contentHash: manifest?.contentHash ?? null,
    };
    terminal.out.write(
      options.json ? `${JSON.stringify(told)}\n` : `${told.rows} rows in ${told.file ?? 'no file: nothing happened'}\n`,
    );
  } finally {
    cancel();
    recording?.finish();
    signals.release();
    await transport.close();
    await frames?.close();
  }
}
