/** Schema of a venue's simulated faults (`halfspread serve --chaos`). Its output is `ChaosSettings`. */
import { z } from 'zod';
import { fileVersion, whole } from '../strategy/index.ts';
import { chance } from './shared-parts.ts';

const wholeMs = (meaning: string, preset: number, max = 3_600_000) => whole(0, max, preset, meaning);

export const chaosSchema = z
  .strictObject({
    version: fileVersion,
    seed: whole(0, 4_294_967_295, 1, 'The same seed and the same sequence of requests give the same faults.'),
    http: z
      .strictObject({
        latency_ms: wholeMs('Delay of each request before the service receives it, ms.', 0),
        jitter_ms: wholeMs('Largest additional delay, uniform, ms.', 0),
        lost_request: chance('The connection ends before the service receives the request.'),
        lost_answer: chance('The service executes the request, but the connection ends before the answer.'),
        duplicated_request: chance('The service receives the request twice; the client gets the first answer.'),
        rate_limited: chance('HTTP 429 with Retry-After, not from the service.'),
        bad_gateway: chance('HTTP 502 with a page of HTML.'),
        unavailable: chance('HTTP 503 with a page of HTML.'),
        html_body: chance('HTTP 200 with a page of HTML instead of JSON.'),
      })
      .prefault({})
      .describe('Between HTTP clients and the service.'),
    socket: z
      .strictObject({
        latency_ms: wholeMs('Delay of each frame of the server, ms.', 0),
        jitter_ms: wholeMs('Largest additional delay, uniform; frames stay in order, ms.', 0),
        dropped: chance('The connection closes instead of sending a frame.'),
        frozen: chance('A frame and all later frames are delayed by `frozen_ms`.'),
        frozen_ms: wholeMs('Silence of a frozen socket, ms.', 10_000),
        lost: chance('A frame is not sent; the connection stays open.'),
        duplicated: chance('A frame is sent twice.'),
        reordered: chance('A frame is sent after the next frame.'),
        stale_book: chance('An `orderBookUpdated` frame starts the loss of these frames on its socket for `stale_ms`.'),
        stale_ms: wholeMs('Time without book updates, ms.', 5_000),
      })
      .prefault({})
      .describe('Between the service and WebSocket clients. Handshakes have no faults.'),
    clock: z
      .strictObject({
        skew_ms: whole(-86_400_000, 86_400_000, 0, "Offset of the server's clock from the true time, ms."),
      })
      .prefault({})
      .describe('The clock of the server.'),
    polymarket: z
      .strictObject({
        delayed: chance('A taking order is answered `delayed`, and runs `delay_ms` later.'),
        delay_ms: wholeMs('Delay of a `delayed` order, ms.', 3_000),
        retried: chance('The transaction of a trade is reverted and sent again: RETRYING.'),
        failed: chance('A transaction is reverted for good: RETRYING, then FAILED. Its trade is reversed.'),
        restart: chance('An order or cancel starts a restart: all orders and cancels get 425 for `restart_ms`.'),
        restart_ms: wholeMs('Duration of a restart, ms.', 5_000),
      })
      .prefault({})
      .describe('Faults of the Polymarket dialect, in addition to the other faults.'),
    modes: z
      .strictObject({
        every_ms: wholeMs('Mean time from NORMAL to the next mode, exponential; 0 for never, ms.', 0, 86_400_000),
        for_ms: wholeMs('Duration of each change before the venue is NORMAL again, ms.', 5_000),
      })
      .prefault({})
      .describe('Changes of the mode to POST_ONLY, CANCEL_ONLY or HALTED.'),
  })
  .describe('Simulated faults.');
