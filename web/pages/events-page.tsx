// The raw log: every event up to the position that is looked at, with filters, and each as JSON.
import { useMemo, useState, type ReactNode } from 'react';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { writeEvent } from '../../src/core/engine/events/event-format.ts';
import { EVENT_TYPES, tasksIn } from '../../src/core/engine/events/event-table.ts';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import { copyText } from '../parts/copy-text.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

const ROW_PX = 28;
/** P11: a plan in an event may be very long. */
const SHOWN_CHARACTERS_MAX = 60_000;

interface Numbered {
  readonly event: RunEvent;
  /** The position after it. */
  readonly position: number;
}

export function EventsPage(): ReactNode {
  const { route, go } = useApp();
  const { run, events, position, isLive } = useRunView();
  const [isFollowing, setFollowing] = useState(isLive);
  const { type = '', words = '', event: chosenAt = '' } = route.options;
  const rows = useMemo(
    () => filtered(events.slice(0, position), { type, words, task: route.task }),
    [events, position, type, words, route.task],
  );
  const chosen = rows.find((row) => row.position === Number(chosenAt));
  return (
    <div className="events">
      <div className="tool-row">
        <select
          className="field"
          aria-label="Type"
          value={type}
          onChange={(event) => go({ options: { type: event.target.value } }, 'replace')}
        >
          <option value="">All types</option>
          {EVENT_TYPES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <input
          type="search"
          className="field"
          placeholder="Text in the event"
          aria-label="Text in the event"
          value={words}
          onChange={(event) => go({ options: { words: event.target.value } }, 'replace')}
        />
        {route.task !== undefined && (
          <button type="button" className="button" onClick={() => go({ task: undefined }, 'replace')}>
            Only {route.task} ×
          </button>
        )}
        <label className="check-label">
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          following
        </label>
        <span className="quiet" role="status">
          {rows.length} of {position} events
        </span>
        <SaveView name={`${run}-events`} data={() => rows.map(({ event }): unknown => JSON.parse(writeEvent(event)))} />
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No event fits" />
      ) : (
        <div className="events-body">
          <VirtualList
            label="Events"
            count={rows.length}
            rowPx={ROW_PX}
            isFollowing={isFollowing && chosen === undefined}
            onFollow={setFollowing}
            render={(index) => <EventRow row={rows[index]} isChosen={rows[index] === chosen} />}
          />
          {chosen !== undefined && <EventPane row={chosen} />}
        </div>
      )}
    </div>
  );
}

interface EventFilter {
  readonly type: string;
  readonly words: string;
  readonly task: string | undefined;
}

function filtered(events: readonly RunEvent[], { type, words, task }: EventFilter): readonly Numbered[] {
  const wanted = words.trim().toLowerCase();
  return events.flatMap((event, at): Numbered[] => {
    if (type !== '' && event.type !== type) return [];
    if (task !== undefined && !('task' in event && event.task === task)) return [];
    if (wanted !== '' && !JSON.stringify(event).toLowerCase().includes(wanted)) return [];
    return [{ event, position: at + 1 }];
  });
}

function EventRow({ row, isChosen }: { readonly row: Numbered | undefined; readonly isChosen: boolean }): ReactNode {
  const { go } = useApp();
  const { status } = useRunView();
  if (row === undefined) return null;
  const { event, position } = row;
  return (
    <button
      type="button"
      className={isChosen ? 'event-row chosen' : 'event-row'}
      aria-pressed={isChosen}
      onClick={() => go({ options: { event: isChosen ? undefined : String(position) } }, 'replace')}
    >
      <span className="number quiet">{position}</span>
      <span className="number">{formatDuration(Math.max(0, event.at - status.startedAt))}</span>
      <span className="mono">{event.type}</span>
      <span className="event-about">{aboutOf(event)}</span>
    </button>
  );
}

function aboutOf(event: RunEvent): string {
  if ('work' in event)
    return [event.task, event.step, event.work, `attempt ${event.attempt}`].filter(Boolean).join(' · ');
  if ('task' in event) return 'step' in event ? `${event.task} · ${event.step}` : event.task;
  if ('pool' in event) return event.pool;
  return tasksIn(event)?.join(', ') ?? '';
}

function EventPane({ row: { event, position } }: { readonly row: Numbered }): ReactNode {
  const { go, notify } = useApp();
  const json = JSON.stringify(JSON.parse(writeEvent(event)), null, 2);
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(json);
    notify(
      isCopied
        ? { style: 'good', text: 'The event is copied as JSON.' }
        : { style: 'bad', text: 'The browser does not let the page copy. Select the text and copy it.' },
    );
  };
  return (
    <aside className="event-pane" aria-label={`Event ${position}`}>
      <div className="tool-row">
        <h2>Event {position}</h2>
        <button type="button" className="button" onClick={() => void copy()}>
          Copy as JSON
        </button>
        <button type="button" className="button" onClick={() => go({ at: position })}>
          Show the run here
        </button>
      </div>
      <pre className="quote" tabIndex={0}>
        {json.slice(0, SHOWN_CHARACTERS_MAX)}
        {json.length > SHOWN_CHARACTERS_MAX && `\n… ${json.length - SHOWN_CHARACTERS_MAX} more characters`}
      </pre>
    </aside>
  );
}
