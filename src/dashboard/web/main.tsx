import { Component, type FormEvent, type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { App } from './app.tsx';
import { client, isSignedIn, signIn } from './client.ts';
import './tokens.css';
import './states.css';
import './fleet.css';
import './market.css';
import './risk.css';
import './phone.css';
import './shell.css';

const theme = localStorage.getItem('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.setAttribute('data-theme', theme);

/** Sign-in token in the page's address. The next line removes the token from the address. */
const token = /^#token=([0-9a-f]+)$/.exec(location.hash)?.[1];
if (token !== undefined) history.replaceState(undefined, '', '#/fleet');

/** Shows the page, or the sign-in if this browser has no session. A token in the address signs in. */
function Entry() {
  const [state, setState] = useState<'checking' | 'signed in' | 'signed out'>('checking');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const enter = async (): Promise<void> => {
      setProblem(token === undefined ? undefined : await signIn(token));
      setState((await isSignedIn()) ? 'signed in' : 'signed out');
    };
    enter().catch(() => {
      setProblem('The dashboard does not answer');
      setState('signed out');
    });
  }, []);
  if (state === 'signed in') return <App />;
  return state === 'signed out' ? <SignIn problem={problem} onDone={() => setState('signed in')} /> : null;
}

function SignIn({ problem, onDone }: { readonly problem: string | undefined; readonly onDone: () => void }) {
  const [secret, setSecret] = useState('');
  const [refused, setRefused] = useState(problem);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const refusal = await signIn(secret);
    if (refusal === undefined) onDone();
    else setRefused(refusal);
  };
  return (
    <main className="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>halfspread</h1>
        <label>
          Password, or the token of the address that the dashboard printed
          <input
            type="password"
            autoComplete="current-password"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </label>
        {refused !== undefined && (
          <p className="danger" role="alert">
            {refused}
          </p>
        )}
        <button type="submit" className="btn primary" disabled={secret === ''}>
          Sign in
        </button>
      </form>
    </main>
  );
}

/** Shows an error of the page instead of an empty window. */
class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly problem?: string }> {
  override state: { readonly problem?: string } = {};

  static getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: String(error) };
  }

  override render(): ReactNode {
    if (this.state.problem === undefined) return this.props.children;
    return (
      <main className="sign-in">
        <div role="alert">
          <h1>The page failed</h1>
          <p>{this.state.problem}</p>
          <p>The bots keep running. On a bot’s machine you can still use npx halfspread kill &lt;configuration&gt;</p>
          <a href="/">Open the page again</a>
        </div>
      </main>
    );
  }
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <FaultBoundary>
        <Provider value={client}>
          <Entry />
        </Provider>
      </FaultBoundary>
    </StrictMode>,
  );
}
