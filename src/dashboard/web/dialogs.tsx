/** Dialogs of actions, which show the effect before the click and the venue's confirmation after it. */
import { type ComponentProps, type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import {
  actMutation,
  addMarketMutation,
  cancelOrderMutation,
  killAllMutation,
  removeMarketMutation,
} from '../generated/documents.ts';
import type { ActionResult, Bot, BotAction, BotKind, Order } from '../generated/schema-types.ts';
import { mutate } from './client.ts';
import { describeEffects } from './effects.ts';
import { cents, counted, shares } from './format.ts';

export type Dialog =
  | { readonly type: 'action'; readonly bot: Bot; readonly action: BotAction }
  | { readonly type: 'cancel order'; readonly order: Order }
  | { readonly type: 'kill all'; readonly bots: readonly Bot[]; readonly kind: BotKind }
  | { readonly type: 'add market'; readonly bot: Bot }
  | { readonly type: 'remove market'; readonly bot: Bot; readonly market: string }
  | { readonly type: 'text'; readonly title: string; readonly children: ReactNode };

export const ACTION_WORDS: Readonly<Record<BotAction, string>> = {
  PAUSE: 'Pause',
  RESUME: 'Resume',
  REDUCE: 'Reduce',
  FLATTEN: 'Flatten',
  KILL: 'Kill',
  CANCEL_ALL: 'Cancel all',
};

/** A modal dialog. The browser keeps the focus inside until the dialog closes, and then returns it. */
export function DialogFrame({ children, ...props }: ComponentProps<'dialog'> & { readonly onClose: () => void }) {
  const frame = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = frame.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={frame} className="dialog" tabIndex={-1} {...props}>
      <div>{children}</div>
    </dialog>
  );
}

export function DialogBox({ dialog, onClose }: { readonly dialog: Dialog; readonly onClose: () => void }) {
  return (
    <DialogFrame aria-labelledby="dialog-title" onClose={onClose}>
      {dialog.type === 'text' ? (
        <>
          <h2 id="dialog-title">{dialog.title}</h2>
          {dialog.children}
          <div className="row">
            <button type="button" className="btn" onClick={onClose}>
              Close <kbd>Esc</kbd>
            </button>
          </div>
        </>
      ) : (
        <Confirm {...toConfirmation(dialog)} onClose={onClose} />
      )}
    </DialogFrame>
  );
}

interface Confirmation {
  readonly title: string;
  readonly effects: readonly string[];
  readonly button: string;
  readonly isDangerous?: boolean;
  readonly hasReason?: boolean;
  /** Text that the user must type to enable the button. */
  readonly phrase?: string;
  /** Label of a text that the action needs. */
  readonly inputLabel?: string;
  readonly execute: (given: {
    readonly reason: string | null;
    readonly input: string;
  }) => Promise<readonly ActionResult[]>;
}

function toConfirmation(dialog: Exclude<Dialog, { type: 'text' }>): Confirmation {
  switch (dialog.type) {
    case 'action': {
      const { bot, action } = dialog;
      return {
        title: `${ACTION_WORDS[action]} ${bot.id}?`,
        effects: describeEffects(action, bot.state),
        button: ACTION_WORDS[action],
        isDangerous: action === 'KILL' || action === 'FLATTEN',
        hasReason: true,
        execute: async ({ reason }) => [(await mutate(actMutation, { bot: bot.id, action, reason })).act],
      };
    }
    case 'cancel order': {
      const { bot, order, market, side, price, remaining } = dialog.order;
      const text = `${side === 'BID' ? 'bid' : 'ask'} of ${shares(remaining)} shares at ${cents(price, 2)} ¢`;
      return {
        title: `Cancel order ${order} of ${bot}?`,
        effects: [
          `Cancels the ${text} in ${market}.`,
          'The strategy may place another order at once, unless you pause the bot or remove the market.',
        ],
        button: 'Cancel order',
        execute: async () => [(await mutate(cancelOrderMutation, { bot, order })).cancelOrder],
      };
    }
    case 'kill all': {
      const { bots, kind } = dialog;
      const orders = bots.reduce((sum, { state }) => sum + (state?.openOrders ?? 0), 0);
      return {
        title: `Kill all ${counted(bots.length, `${kind.toLowerCase()} bot`)}?`,
        effects: [
          `Cancels ${orders} orders and blocks new ones.`,
          'Positions stay open.',
          'Stays killed through restarts until an operator resumes each bot.',
          'Bots of other kinds keep running.',
        ],
        button: 'Kill all',
        isDangerous: true,
        phrase: `KILL ${bots.length}`,
        execute: async () => (await mutate(killAllMutation, { kind, reason: 'kill all' })).killAll,
      };
    }
    case 'add market': {
      const bot = dialog.bot.id;
      return {
        title: `Add a market to ${bot}`,
        effects: ['The bot’s strategies trade it as soon as its order book arrives.'],
        button: 'Add',
        inputLabel: 'Slug or id of the market',
        execute: async ({ input: market }) => [(await mutate(addMarketMutation, { bot, market })).addMarket],
      };
    }
    case 'remove market': {
      const { bot, market } = dialog;
      return {
        title: `Remove ${market} from ${bot.id}?`,
        effects: [
          'Cancels the bot’s orders in it. A position stays open and is still valued.',
          'Stays removed through restarts until it is added again.',
        ],
        button: 'Remove',
        execute: async () => [(await mutate(removeMarketMutation, { bot: bot.id, market })).removeMarket],
      };
    }
  }
}

function Confirm({
  title,
  effects,
  button,
  isDangerous = false,
  hasReason = false,
  phrase,
  inputLabel,
  execute,
  onClose,
}: Confirmation & { readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [results, setResults] = useState<readonly ActionResult[]>();
  const [problem, setProblem] = useState<string>();
  const isReady = !isBusy && (phrase === undefined || typed === phrase) && (inputLabel === undefined || typed !== '');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    // Focuses the dialog, because the answer removes the focused element.
    event.currentTarget.closest('dialog')?.focus();
    setIsBusy(true);
    try {
      setResults(await execute({ reason: reason === '' ? null : reason, input: typed }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setIsBusy(false);
  };
  const isFinished = results !== undefined || problem !== undefined;
  return (
    <form onSubmit={(event) => void submit(event)} style={{ display: 'contents' }}>
      <h2 id="dialog-title">{title}</h2>
      {!isFinished && (
        <ul>
          {effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      )}
      {!isFinished && hasReason && (
        <label>
          Reason, stored with the action
          <input
            value={reason}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
      )}
      {!isFinished && (phrase !== undefined || inputLabel !== undefined) && (
        <label>
          {phrase === undefined ? (
            inputLabel
          ) : (
            <span>
              Type <b>{phrase}</b> to confirm
            </span>
          )}
          <input value={typed} maxLength={200} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      <div role="status">
        {isBusy && <p className="result">Waiting for the venue…</p>}
        {problem !== undefined && <p className="result danger">{problem}</p>}
        {results?.map(({ bot, done, text }) => (
          <p key={bot} className={`result ${done ? '' : 'danger'}`}>
            <b>{bot}</b> {done ? '' : 'not done: '}
            {text}
          </p>
        ))}
      </div>
      <div className="row">
        <button type="button" className="btn" onClick={onClose}>
          {isFinished ? 'Close' : 'Cancel'} <kbd>Esc</kbd>
        </button>
        {!isFinished && (
          <button type="submit" className={`btn ${isDangerous ? 'kill solid' : 'primary'}`} disabled={!isReady}>
            {button}
          </button>
        )}
      </div>
    </form>
  );
}
