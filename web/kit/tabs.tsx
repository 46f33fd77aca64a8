import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface TabItem {
  id: string;
  label: ComponentChildren;
}

interface TabsProps {
  /** The name of the tabs for screen readers. */
  label: string;
  items: readonly TabItem[];
  current: string;
  onChange: (id: string) => void;
  /** The content of the current tab. */
  children: ComponentChildren;
}

/** How many tabs each arrow key moves. */
const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** A list of tabs, and the content of the current tab. The arrow keys, Home and End choose a tab, as the ARIA pattern for tabs says. */
export function Tabs({ label, items, current, onChange, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = items.findIndex((item) => item.id === current);
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key];
    const target =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? items.length - 1
          : step && (index + step + items.length) % items.length;
    const item = target === undefined ? undefined : items[target];
    if (target === undefined || !item) return;
    event.preventDefault();
    onChange(item.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[target]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tabs-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {items.map((item) => (
          <button
            type="button"
            class="tab"
            role="tab"
            id={`${id}-${item.id}`}
            aria-selected={item.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={item.id === current ? 0 : -1}
            onClick={() => onChange(item.id)}
          >
            {item.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}
