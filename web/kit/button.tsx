import type { ComponentProps, Ref } from 'preact';

type Tone = 'main' | 'bad' | 'plain' | 'small' | 'icon' | 'quiet';

const classOf = (tone: Tone) => (tone === 'plain' ? 'button' : `button button-${tone}`);

/**
 * A button. `main`: the one main action of a view. `bad`: a main action that rejects or removes something. `icon`: a small button with
 * an icon. `quiet`: a rarely needed alternative, such as a file instead of the camera. `isBusy`: the action is running. The caller must ignore clicks while it runs.
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
