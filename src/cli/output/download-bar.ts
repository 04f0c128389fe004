import { remoteAccess } from '../../app/remote-access.ts';
import type { RemoteAccess } from '../../backtest/index.ts';
import { wallClock } from '../../clock/index.ts';
import { perSecond, progressBar } from './progress.ts';
import type { TextOutput } from './terminal.ts';

const MB = 1_000_000;

/** Access to tapes at URLs whose downloads show a bar, one after another. */
export function remoteWithBar(err: TextOutput): RemoteAccess {
  const clock = wallClock();
  let [bar, shown, started] = [progressBar('download', 'MB', err), '', 0];
  return remoteAccess((url, done, total) => {
    if (url !== shown) [bar, shown, started] = [progressBar('download', 'MB', err), url, clock.now()];
    const rate = perSecond(done / MB, clock.now() - started);
    bar.update(Math.round(done / MB), Math.round(total / MB), rate, url);
    if (done === total) bar.stop();
  });
}
