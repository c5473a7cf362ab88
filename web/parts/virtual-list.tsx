// A list of which only the rows in sight are in the page: rows of one height, however many there are.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

interface VirtualListProps {
  readonly count: number;
  readonly rowPx: number;
  readonly render: (index: number) => ReactNode;
  readonly label: string;
  readonly className?: string;
  /** Stays at the end while rows are added. */
  readonly isFollowing?: boolean;
  readonly onFollow?: (isFollowing: boolean) => void;
  /** The first row came into sight. */
  readonly onStart?: () => void;
  /** Scrolls this row into sight whenever it changes. */
  readonly shown?: number | undefined;
  /** Rows that were put before the first, so that what is in sight stays. */
  readonly before?: number;
}

const SPARE_ROWS = 20;
/** Browsers do not draw boxes that are much higher. */
const HEIGHT_MAX_PX = 15_000_000;

export function VirtualList(props: VirtualListProps): ReactNode {
  const { count, rowPx, render, label, className = '' } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = useHeight(box);
  const height100 = Math.min(HEIGHT_MAX_PX, count * rowPx);
  const rowsMax = Math.floor(HEIGHT_MAX_PX / rowPx);
  const skipped = Math.max(0, count - rowsMax);
  const first = Math.max(0, Math.floor(top / rowPx) - SPARE_ROWS);
  const last = Math.min(count - skipped, Math.ceil((top + height) / rowPx) + SPARE_ROWS);
  const onScroll = useScroll(box, props, setTop);
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  return (
    // A list that scrolls has to be reachable by keys, so that they can scroll it.
    <div ref={box} className={`virtual ${className}`} onScroll={onScroll} tabIndex={0} role="region" aria-label={label}>
      <div className="virtual-all" style={{ height: height100 }}>
        {indexes.map((index) => (
          <div key={index} className="virtual-row" style={{ top: index * rowPx, height: rowPx }}>
            {render(index + skipped)}
          </div>
        ))}
      </div>
    </div>
  );
}

function useHeight(box: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(current.clientHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return height;
}

/** Keeps the place that somebody scrolled to; at the end it follows. */
function useScroll(
  box: RefObject<HTMLDivElement | null>,
  { count, rowPx, isFollowing = false, onFollow, onStart, shown, before = 0 }: VirtualListProps,
  setTop: (top: number) => void,
): () => void {
  const known = useRef({ before, isPlacing: false });
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const more = before - known.current.before;
    known.current.before = before;
    if (more !== 0) current.scrollTop += more * rowPx;
    if (!isFollowing) return;
    known.current.isPlacing = true;
    current.scrollTop = current.scrollHeight;
    setTop(current.scrollTop);
  }, [box, count, before, rowPx, isFollowing, setTop]);
  useEffect(() => {
    const { current } = box;
    if (current === null || shown === undefined) return;
    const at = shown * rowPx;
    const isInSight = at >= current.scrollTop && at + rowPx <= current.scrollTop + current.clientHeight;
    if (!isInSight) current.scrollTop = Math.max(0, at - current.clientHeight / 3);
  }, [box, shown, rowPx]);
  return useCallback(() => {
    const { current } = box;
    if (current === null) return;
    setTop(current.scrollTop);
    const isAtEnd = current.scrollTop + current.clientHeight >= current.scrollHeight - rowPx;
    if (known.current.isPlacing) known.current.isPlacing = false;
    else if (isAtEnd !== isFollowing) onFollow?.(isAtEnd);
    if (current.scrollTop < rowPx) onStart?.();
  }, [box, rowPx, isFollowing, onFollow, onStart, setTop]);
}
