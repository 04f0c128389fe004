/** Options of commands that download tapes from URLs, and the progress of a download. */
import { z } from 'zod';
import { remoteAccess } from '../app/remote-access.ts';
import type { RemoteAccess } from '../backtest/index.ts';
import { progressBar } from './output/progress.ts';
import type { TextOutput } from './output/terminal.ts';

export const REMOTE_TAPES = {
  maxGb: z.coerce.number('expected a number of GB').optional(),
  s3Endpoint: z.string().optional(),
  s3Region: z.string().optional(),
};

export function remoteTapes({ maxGb, s3Endpoint, s3Region }: z.output<z.ZodObject<typeof REMOTE_TAPES>>) {
  return { max_gb: maxGb, s3_endpoint: s3Endpoint, s3_region: s3Region };
}

const MB = 1_000_000;

/** Returns access to tapes at URLs. Each download shows a progress bar. */
export function remoteWithProgress(err: TextOutput): RemoteAccess {
  let [bar, shownUrl] = [progressBar('download', 'MB', err), ''];
  return remoteAccess((url, done, total) => {
    if (url !== shownUrl) [bar, shownUrl] = [progressBar('download', 'MB', err), url];
    bar.update(Math.round(done / MB), Math.round(total / MB), undefined, url);
    if (done === total) bar.stop();
  });
}
