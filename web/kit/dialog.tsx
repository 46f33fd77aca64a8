import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button';

/**
 * A modal dialog. The Escape key, the button and a click outside close it. Then the element that had the focus before the dialog gets the
 * focus again.
 */
export function Dialog({
  title,
  close,
  onClose,
  children,
}: {
  title: string;
  /** The text of the button that closes the dialog. */
  close: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button tone="small" onClick={() => dialog.current?.close()}>
          {close}
        </Button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
