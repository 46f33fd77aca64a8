import type { ComponentProps, Ref } from 'preact';

/** How a button looks. `Button` explains each value. */
type Tone = 'main' | 'bad' | 'plain' | 'small' | 'icon' | 'quiet';

const classOf = (tone: Tone) => (tone === 'plain' ? 'button' : `button button-${tone}`);

/**
 * A button. Values of `tone`: `main` is for the one main action of a view. `bad` is for a main action that rejects or removes something.
 * `icon` is for an icon with a short text or none. `quiet` is for an alternative that few users need. `plain` and `small` are for all other
 * actions. `isBusy`: the action is running. The button then still calls `onClick`, which must do nothing.
 */
export function Button({
  tone = 'plain',
  isBusy = false,
  buttonRef,
  ...rest
}: ComponentProps<'button'> & { tone?: Tone; isBusy?: boolean; buttonRef?: Ref<HTMLButtonElement> }) {
  return (
    <button
      type="button"
      {...rest}
      ref={buttonRef ?? null}
      class={classOf(tone)}
      aria-disabled={isBusy ? 'true' : undefined}
    />
  );
}

/** A link that looks like a button. */
export const ButtonLink = ({ tone = 'plain', ...rest }: ComponentProps<'a'> & { tone?: Tone }) => (
  <a {...rest} class={classOf(tone)} />
);
