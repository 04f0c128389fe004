/** The pages in the report folder, and two of them side by side. */
import { useState } from 'react';
import { reportsQuery } from '../generated/documents.ts';
import { useAnswer } from './client.ts';
import { dayTime } from './format.ts';
import { Page } from './list-page.tsx';
import { Empty, Panel, Scroll } from './parts.tsx';

/** Pages side by side at most. */
const MOST_PAGES = 2;

export function HistoryView() {
  const { data } = useAnswer(reportsQuery, {}, 10_000);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const reports = data?.reports ?? [];
  const pages = reports.filter(({ id }) => chosen.includes(id));
  const choose = (id: string): void => {
    setChosen((before) =>
      before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-MOST_PAGES),
    );
  };
  return (
    <Page>
      <Panel title="History" meta="backtests, sessions, comparisons and studies of the report folder">
        {reports.length === 0 ? (
          <Empty>No report yet: `halfspread backtest`, `report`, `compare` and `optimize --report` write them.</Empty>
        ) : (
          <Scroll label="Reports, the newest first">
            <table>
              <caption className="vh">Reports, the newest first</caption>
              <thead>
                <tr>
                  <th>Show</th>
                  <th>Report</th>
                  <th>Written, UTC</th>
                  <th className="num">KB</th>
                  <th>File</th>
                </tr>
              </thead>
              <tbody>
                {reports.map(({ id, title, time, bytes, url }) => (
                  <tr key={id}>
                    <td>
                      <input
                        type="checkbox"
                        aria-label={`Show ${title}`}
                        checked={chosen.includes(id)}
                        onChange={() => choose(id)}
                      />
                    </td>
                    <th scope="row">{title}</th>
                    <td className="dim nw">{dayTime(time)}</td>
                    <td className="num">{(bytes / 1_000).toFixed(0)}</td>
                    <td>
                      <a href={url} target="_blank" rel="noreferrer">
                        {id}
                      </a>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
        {pages.length > 0 && (
          <div className="pages">
            {pages.map(({ id, title, url }) => (
              <iframe key={id} title={title} src={url} sandbox="allow-scripts" />
            ))}
          </div>
        )}
      </Panel>
    </Page>
  );
}
