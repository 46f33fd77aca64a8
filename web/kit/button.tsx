import type { ComponentProps } from 'preact';

type Tone = 'main' | 'plain' | 'small';

const classOf = (tone: Tone) => (tone === 'plain' ? 'button' : `button button-${tone}`);

/** A button. `main`: the one main action of a view. `isBusy`: the action is running, and the button must ignore clicks. */
export function Button({
  tone = 'plain',
  isBusy = false,
  ...rest
}: ComponentProps<'button'> & { tone?: Tone; isBusy?: boolean }) {
  return <button type="button" {...rest} class={classOf(tone)} aria-disabled={isBusy ? 'true' : undefined} />;
}

/** A link that looks like a button. */
export const ButtonLink = ({ tone = 'plain', ...rest }: ComponentProps<'a'> & { tone?: Tone }) => (
  <a {...rest} class={classOf(tone)} />
);
