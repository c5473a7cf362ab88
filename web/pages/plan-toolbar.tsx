// Search, plan or net, and the size of the picture.
import type { ReactNode, RefObject } from 'react';
import type { CanvasHandle } from '../canvas/plan-canvas.tsx';
import { SaveFirings } from '../parts/save-from-server.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { useApp } from '../store/use-app.ts';

interface PlanToolbarProps {
  readonly canvas: RefObject<CanvasHandle | null>;
  readonly isNet: boolean;
  readonly words: string;
  readonly onFind: () => void;
  /** The name of a saved file, without its ending. */
  readonly name: string;
  readonly data: () => unknown;
}

export function PlanToolbar({ canvas, isNet, words, onFind, name, data }: PlanToolbarProps): ReactNode {
  const { go } = useApp();
  return (
    <form
      className="toolbar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onFind();
      }}
    >
      <input
        type="search"
        className="field"
        placeholder="Find a task, then Enter"
        aria-label="Find tasks"
        value={words}
        onChange={(event) => go({ options: { q: event.target.value } }, 'replace')}
      />
      <div className="switch" role="group" aria-label="Show">
        <button type="button" aria-pressed={!isNet} onClick={() => go({ options: { show: undefined } }, 'replace')}>
          Plan
        </button>
        <button type="button" aria-pressed={isNet} onClick={() => go({ options: { show: 'net' } }, 'replace')}>
          Net
        </button>
      </div>
      <div className="actions">
        <button type="button" className="button" aria-label="Smaller" onClick={() => canvas.current?.zoom(0.8)}>
          −
        </button>
        <button type="button" className="button" aria-label="Larger" onClick={() => canvas.current?.zoom(1.25)}>
          +
        </button>
        <button type="button" className="button" onClick={() => canvas.current?.fit()}>
          Fit
        </button>
        <SaveView name={name} data={data} picture={() => canvas.current?.picture() ?? null}>
          <SaveFirings />
        </SaveView>
      </div>
    </form>
  );
}
