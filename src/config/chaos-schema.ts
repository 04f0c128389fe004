/** The faults of a venue as people write them: `halfspread serve --chaos`. The same things as `ChaosSettings`. */
import { z } from 'zod';
import { fileVersion } from '../strategy/index.ts';

const chance = (meaning: string) => z.number().min(0).max(1).default(0).describe(`${meaning} Default 0.`);
const wholeMs = (meaning: string, preset: number, most = 3_600_000) =>
  z.int().min(0).max(most).default(preset).describe(`${meaning} Default ${preset}.`);

export const chaosSchema = z
  .strictObject({
    version: fileVersion,
    seed: z
      .int()
      .min(0)
      .max(4_294_967_295)
      .default(1)
      .describe('The same seed and the same requests in the same order meet the same faults. Default 1.'),
    http: z
      .strictObject({
        latency_ms: wholeMs('Every request waits so long before the service sees it, ms.', 0),
        jitter_ms: wholeMs('And up to so much longer, uniformly, ms.', 0),
        lost_request: chance('The connection ends before the service sees the request.'),
        lost_answer: chance('The service does what is asked, but the connection ends before the answer.'),
        duplicated_request: chance('The service sees the request twice; the client gets the first answer.'),
        rate_limited: chance('HTTP 429 with Retry-After, not from the service.'),
        bad_gateway: chance('HTTP 502 with a page of HTML.'),
        unavailable: chance('HTTP 503 with a page of HTML.'),
        html_body: chance('HTTP 200 with a page of HTML in place of JSON.'),
      })
      .prefault({})
      .describe('Between HTTP clients and the service.'),
    socket: z
      .strictObject({
        latency_ms: wholeMs('Every frame of the server waits so long, ms.', 0),
        jitter_ms: wholeMs('And up to so much longer, uniformly; frames stay in order, ms.', 0),
        dropped: chance('Of a frame: the connection is cut.'),
        frozen: chance('Of a frame: it and all after it are held back for `frozen_ms`.'),
        frozen_ms: wholeMs('How long a frozen socket says nothing, ms.', 10_000),
        lost: chance('Of a frame: it never comes.'),
        duplicated: chance('Of a frame: it comes twice.'),
        reordered: chance('Of a frame: the next one comes before it.'),
        stale_book: chance('Of a frame of `orderBookUpdated`: those of that socket are left out for `stale_ms`.'),
        stale_ms: wholeMs('How long a book stays stale, ms.', 5_000),
      })
      .prefault({})
      .describe('Between the service and WebSocket clients; handshakes are left alone.'),
    clock: z
      .strictObject({
        skew_ms: z
          .int()
          .min(-86_400_000)
          .max(86_400_000)
          .default(0)
          .describe("The server's clock is so far ahead of the true one, ms. Default 0."),
      })
      .prefault({})
      .describe('The clock of the server.'),
    modes: z
      .strictObject({
        every_ms: wholeMs('Mean time between two changes of mode, exponential; 0 for never, ms.', 0, 86_400_000),
        for_ms: wholeMs('How long each lasts before the venue is NORMAL again, ms.', 5_000),
      })
      .prefault({})
      .describe('Changes of the mode to POST_ONLY, CANCEL_ONLY or HALTED.'),
  })
  .describe('Faults that are put in on purpose.');
