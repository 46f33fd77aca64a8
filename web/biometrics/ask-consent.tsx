import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { announce } from '../app/messages';
import { Button } from '../kit/button';
import { Icon, type IconName } from './icon';
import { giveConsent, type LinkState } from './link-api';
import { texts } from './page-texts';
import { askOnScreen } from './screen';
import type { Passage } from './texts/texts';

const Point = ({ icon, heading, text }: Passage & { icon: IconName }) => (
  <li>
    <Icon name={icon} />
    <div>
      <h2>{heading}</h2>
      <p>{text}</p>
    </div>
  </li>
);

function ConsentForm({ onAgree }: { onAgree: () => void }): ComponentChildren {
  const { agree, button, missing, otherwise } = texts.consent;
  const checkbox = useRef<HTMLInputElement>(null);
  const [isMissing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = () => {
    if (!checkbox.current?.checked) {
      setMissing(true);
      announce(missing);
      checkbox.current?.focus();
      return;
    }
    setBusy(true);
    onAgree();
  };
  return (
    <form
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) submit();
      }}
    >
      <label class="agree" for="agree">
        <input
          type="checkbox"
          id="agree"
          ref={checkbox}
          aria-describedby="agree-missing"
          onChange={({ currentTarget }) => currentTarget.checked && setMissing(false)}
        />
        <span>{agree}</span>
      </label>
      <p class="hint" id="agree-missing" hidden={!isMissing}>
        <Icon name="warning" />
        <span>{missing}</span>
      </p>
      <div class="actions">
        <Button tone="main" type="submit" isBusy={isBusy}>
          {button}
        </Button>
        <p class="fine">{otherwise}</p>
      </div>
    </form>
  );
}

/** Shows the consent. Resolves to the state of the link when the person has agreed. Until then, the camera stays off. */
export function askConsent(): Promise<LinkState> {
  const { heading, lead, points } = texts.consent;
  return askOnScreen((finish) => ({
    name: 'consent',
    heading,
    step: 1,
    content: (
      <>
        <p class="lead">{lead}</p>
        <ul class="points">
          <Point icon="document" {...points.what} />
          <Point icon="check" {...points.why} />
          <Point icon="clock" {...points.kept} />
          <Point icon="eye" {...points.seen} />
        </ul>
        <ConsentForm onAgree={() => finish(giveConsent())} />
      </>
    ),
  }));
}
