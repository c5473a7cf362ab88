// One action: a command into the inbox of the run, the same as a line for the terminal beside it.
import { useEffect, useState, type ReactNode } from 'react';
import { commandLine, type ShortCommand } from '../../src/core/view/text/command-line.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { CopyAsCli } from './copy-as-cli.tsx';

interface ActionButtonProps {
  readonly label: string;
  readonly command: ShortCommand;
  readonly style?: 'primary' | 'danger';
  /** Asks once more, for what cannot be taken back. */
  readonly asksAgain?: boolean;
  readonly isDisabled?: boolean;
  /** Where the run has no coordinator, one is started in the background. */
  readonly starts?: boolean;
  /** The run takes it. */
  readonly onSent?: () => void;
}

const ASKS_MS = 4000;

export function ActionButton(props: ActionButtonProps): ReactNode {
  const { label, command, style, asksAgain = false, isDisabled = false, starts = false, onSent } = props;
  const { send, dashboard } = useApp();
  const { project, run, isLive } = useRunView();
  const [step, setStep] = useState<'idle' | 'asking' | 'sending'>('idle');
  useEffect(() => {
    if (step !== 'asking') return undefined;
    const timer = setTimeout(() => setStep('idle'), ASKS_MS);
    return () => clearTimeout(timer);
  }, [step]);
  const act = async (): Promise<void> => {
    if (asksAgain && step !== 'asking') return setStep('asking');
    setStep('sending');
    const isTaken = await send({ project, run, command, starts });
    setStep('idle');
    if (isTaken) onSent?.();
  };
  const whyNot = whyNotNow(isLive, dashboard.runs?.isReadOnly === true);
  return (
    <span className="action">
      <button
        type="button"
        className={`button ${style ?? ''}`}
        disabled={whyNot !== undefined || isDisabled || step === 'sending'}
        title={whyNot}
        onClick={() => void act()}
      >
        {step === 'asking' ? `${label}: sure?` : label}
      </button>
      <CopyAsCli command={commandLine(run, command)} isShort />
    </span>
  );
}

/** Why nothing can be done from here; undefined when it can. */
export function whyNotNow(isLive: boolean, isReadOnly: boolean): string | undefined {
  if (isReadOnly) return 'This dashboard is read-only.';
  return isLive ? undefined : 'Go to live to act: the run has moved on from here.';
}
