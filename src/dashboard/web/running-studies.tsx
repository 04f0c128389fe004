import type { RemoteWork, Study, StudyRun, StudyWorker } from '../generated/schema-types.ts';
import { age, clockTime, dayTime, grouped, MISSING, percent } from './format.ts';
import { Metric, numeric, Table, withKeys } from './parts.tsx';

export function RunningStudies({ studies }: { readonly studies: readonly Study[] }) {
  return studies.map(({ id, title, run }) => run !== null && <RunningStudy key={id} title={title} run={run} />);
}

function RunningStudy({ title, run }: { readonly title: string; readonly run: StudyRun }) {
  const { isAlive, host, pid, startedAt, writtenAt, remote, notices } = run;
  const problem = isAlive
    ? remote?.problem
    : `Its process has not reported since ${dayTime(writtenAt)} UTC. If it was killed, continue the study with --resume`;
  return (
    <section className="running" aria-label={`Study ${title}`}>
      <header>
        <h3>{title}</h3>
        <span className={`tag ${isAlive ? (problem == null ? 'ok' : 'warn') : 'danger'}`}>
          {isAlive ? (problem == null ? 'Running' : 'Waiting') : 'Not responding'}
        </span>
        <span className="dim">
          process {pid} on {host} since {dayTime(startedAt)} UTC
        </span>
      </header>
      {problem != null && <p className={isAlive ? 'warn' : 'danger'}>{problem}</p>}
      <RunMetrics run={run} />
      {remote !== null && <WorkerTable study={title} workers={remote.workers} />}
      {notices.length > 0 && (
        <ul aria-label={`Notices of ${title}`}>
          {withKeys(notices, ({ time, text }) => `${time} ${text}`).map(([key, { time, text }]) => (
            <li key={key}>
              <span className="dim">{clockTime(time)}</span> {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RunMetrics({
  run: { done, total, failed, perSecond, leftMs, writtenAt, best, threads, isAlive, remote },
}: {
  readonly run: StudyRun;
}) {
  const isKnown = isAlive && leftMs !== null && remote?.problem == null;
  return (
    <dl className="strip">
      <Metric label="Backtests" context={`${grouped(done, 0)} of about ${grouped(total, 0)}, ${failed} failed`}>
        {total > 0 ? `${percent(done / total, 0)}%` : MISSING}
      </Metric>
      <Metric label="Rate" context={best ?? undefined}>
        {isAlive ? `${grouped(perSecond, perSecond < 10 ? 1 : 0)} / s` : MISSING}
      </Metric>
      <Metric label="Time left" context={isKnown ? `until ${dayTime(writtenAt + leftMs)} UTC` : 'unknown'}>
        {isKnown ? age(leftMs) : MISSING}
      </Metric>
      {remote === null ? (
        <Metric label="Threads">{threads}</Metric>
      ) : (
        <RemoteMetrics remote={remote} threads={threads} />
      )}
    </dl>
  );
}

function RemoteMetrics({ remote, threads }: { readonly remote: RemoteWork; readonly threads: number }) {
  const { connected, queued, returned, lost, computingSeconds, costUsd } = remote;
  return (
    <>
      <Metric label="Workers" context={`${threads} threads, ${grouped(queued, 0)} in Redis`}>
        {connected}
      </Metric>
      <Metric label="Returned, lost" context="backtests that another worker repeated">
        {returned}, {lost}
      </Metric>
      <Metric label="Cost" context={`${grouped(computingSeconds, 0)} s of computing time`}>
        {costUsd === null ? MISSING : `$${grouped(costUsd, 4)}`}
      </Metric>
    </>
  );
}

const TONES: Readonly<Record<string, string>> = { draining: 'warn', gone: 'danger' };

function WorkerTable({ study, workers }: { readonly study: string; readonly workers: readonly StudyWorker[] }) {
  return (
    <Table
      label={`Workers of ${study}`}
      heads={[
        'Worker',
        'Host',
        'State',
        ...numeric('Threads', 'Backtests', 'Per second', 'Failed', 'Returned', 'Last seen'),
      ]}
    >
      {workers.map(({ name, host, state, threads, backtests, perSecond, failed, returned, silentMs }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{host}</td>
          <td className={TONES[state] ?? ''}>{state}</td>
          <td className="num">{threads}</td>
          <td className="num">{grouped(backtests, 0)}</td>
          <td className="num">{grouped(perSecond, perSecond < 10 ? 2 : 0)}</td>
          <td className="num">{failed}</td>
          <td className="num">{returned}</td>
          <td className="num">{age(silentMs)} ago</td>
        </tr>
      ))}
    </Table>
  );
}
