/** Measures the work of a page's main thread. Processor time excludes other processes. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { quantile } from '../harness.ts';

export interface PageWork {
  readonly longestFrameMs: number;
  readonly p99FrameMs: number;
  /** Number of tasks of more than 50 ms wall time. */
  readonly longTasks: number;
  /** Maximum processor time of a task, ms. */
  readonly longestTaskMs: number;
}

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.object({ name: z.unknown() }).partial().optional(),
    }),
  ),
});

/** @param folder folder for a temporary trace */
export async function workDuring(browser: Browser, page: Page, folder: string, run: () => Promise<void>) {
  await page.evaluate(`
    window.frameIntervals = []; window.longTasks = 0;
    window.taskObserver ??= new PerformanceObserver((list) => { longTasks += list.getEntries().length; });
    taskObserver.observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const frame = (now) => { frameIntervals.push(now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);`);
  const path = join(folder, 'trace.json');
  await browser.startTracing(page, { path, categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await run();
  await browser.stopTracing();
  const [frames, longTasks] = await page.evaluate<[number[], number]>('[frameIntervals, longTasks]');
  const { traceEvents } = traceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  rmSync(path);
  const main = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid}/${tid}`] : [],
    ),
  );
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && main.has(`${pid}/${tid}`));
  return {
    longestFrameMs: frames.reduce((max, interval) => Math.max(max, interval), 0),
    p99FrameMs: quantile(frames, 0.99),
    longTasks,
    longestTaskMs: tasks.reduce((max, { tdur = 0 }) => Math.max(max, tdur), 0) / 1_000,
  };
}
