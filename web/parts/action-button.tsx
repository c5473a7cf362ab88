// One action: a command into the inbox of the run, the same as a line for the terminal beside it.
import { useEffect, useState, type ReactNode } from 'react';
import type { Command } from '../../src/core/engine/command.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { CopyAsCli } from './copy-as-cli.tsx';

interface ActionButtonProps {
  readonly label: string;
  readonly command: Command;
  /** The words after `heddle`. */
  readonly cli: string;
  readonly style?: 'primary' | 'danger';
  /** Asks once more, for what cannot be taken back. */
  readonly asksAgain?: boolean;
  readonly isDisabled?: boolean;
  readonly onSent?: () => void;
}

const ASKS_MS = 4000;

export function ActionButton(props: ActionButtonProps): ReactNode {
  const { label, command, cli, style, asksAgain = false, isDisabled = false, onSent } = props;
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
    await send({ project, run, command });
    setStep('idle');
    onSent?.();
  };
  const isPast = !isLive || dashboard.runs?.isReadOnly === true;
  return (
    <span className="action">
      <button
        type="button"
        className={`button ${style ?? ''}`}
        disabled={isPast || isDisabled || step === 'sending'}
        title={isLive ? undefined : 'Go to live to act: the run has moved on from here.'}
        onClick={() => void act()}
      >
        {step === 'asking' ? `${label}: sure?` : label}
      </button>
      <CopyAsCli command={`heddle ${cli}`} isShort />
    </span>
  );
}
