/** Messages between a bot's process and that of the dashboard beside it. */
import { z } from 'zod';

export const startSchema = z.object({
  bots: z.array(z.object({ id: z.string(), socket: z.string() })),
  reports: z.string(),
  audit: z.string(),
  port: z.int(),
});
export type DashboardStart = z.output<typeof startSchema>;

export const startedSchema = z.union([z.object({ url: z.string() }), z.object({ problem: z.string() })]);
export type DashboardStarted = z.output<typeof startedSchema>;
