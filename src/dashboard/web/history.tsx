import { useEffect, useState } from 'react';
import { reportsQuery, studiesQuery } from '../generated/documents.ts';
import type { Report } from '../generated/schema-types.ts';
import { useApiQuery } from './client.ts';
import { dayTime } from './format.ts';
import { Empty, numeric, Table } from './parts.tsx';
import { RunningStudies } from './running-studies.tsx';

const MAX_PAGES = 2;
const LISTS = ['Reports', 'Studies'] as const;

export function HistoryView() {
  const reports = useApiQuery(reportsQuery, {}, 10_000).data?.reports ?? [];
  const [studiesPollMs, setStudiesPollMs] = useState(10_000);
  const studies = useApiQuery(studiesQuery, {}, studiesPollMs).data?.studies ?? [];
  const running = studies.filter(({ run }) => run !== null);
  const isRunning = running.some(({ run }) => run?.isAlive === true);
  useEffect(() => setStudiesPollMs(isRunning ? 1_000 : 10_000), [isRunning]);
  const [list, setList] = useState<(typeof LISTS)[number]>('Reports');
  /** URLs of the pages shown. */
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (url: string): void => {
    setChosen((before) =>
      before.includes(url) ? before.filter((each) => each !== url) : [...before, url].slice(-MAX_PAGES),
    );
  };
  return (
    <main className="list-page">
      <section className="panel">
        <header>
          <h2>History</h2>
          <fieldset className="tabs">
            <legend className="visually-hidden">What is listed</legend>
            {LISTS.map((each) => (
              <button
                key={each}
                type="button"
                aria-current={list === each ? 'true' : undefined}
                onClick={() => setList(each)}
              >
                {each}
                {each === 'Studies' && running.length > 0 && ` (${running.length} running)`}
              </button>
            ))}
          </fieldset>
          <span className="meta">choose two to see them side by side</span>
        </header>
        {list === 'Reports' ? (
          <ReportTable name="Reports" reports={reports} chosen={chosen} choose={choose}>
            No report yet: `npx halfspread backtest`, `report` and `compare --report` write them into the folder that
            --reports names.
          </ReportTable>
        ) : (
          <>
            <RunningStudies studies={running} />
            <ReportTable name="Studies" reports={studies} chosen={chosen} choose={choose}>
              No study yet: `npx halfspread optimize` writes a .study file. It is listed if it is in the folder that
              --studies names.
            </ReportTable>
          </>
        )}
        {chosen.length > 0 && (
          <div className="pages">
            {[...reports, ...studies]
              .filter(({ url }) => chosen.includes(url))
              .map(({ title, url }) => (
                <iframe key={url} title={title} src={url} sandbox="allow-scripts" />
              ))}
          </div>
        )}
      </section>
    </main>
  );
}

interface ReportTableProps {
  readonly name: string;
  readonly reports: readonly Report[];
  readonly chosen: readonly string[];
  readonly choose: (url: string) => void;
  readonly children: string;
}

function ReportTable({ name, reports, chosen, choose, children }: ReportTableProps) {
  if (reports.length === 0) return <Empty>{children}</Empty>;
  const caption = `${name}, the newest first`;
  return (
    <Table label={caption} heads={['Show', 'Name', 'Written, UTC', ...numeric('KB'), 'File']}>
      {reports.map(({ id, title, time, bytes, url }) => (
        <tr key={id}>
          <td>
            <input
              type="checkbox"
              aria-label={`Show ${title}, ${id}`}
              checked={chosen.includes(url)}
              onChange={() => choose(url)}
            />
          </td>
          <th scope="row">{title}</th>
          <td className="dim nowrap">{dayTime(time)}</td>
          <td className="num">{(bytes / 1_000).toFixed(0)}</td>
          <td>
            <a href={url} target="_blank" rel="noreferrer">
              {id}
            </a>
          </td>
        </tr>
      ))}
    </Table>
  );
}
