import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Icon } from '../kit/icon';
import { readApplicationUrl } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import { copyText } from './actions';

/** The address of the API that is shown until the inbox has sent the real address. */
const defaultUrl = 'http://127.0.0.1:3000';

const personJson = `{"documentType":"CPF","document":"52998224725","name":"Ana Souza",
  "email":"ana@example.com","phone":{"countryCode":55,"areaCode":11,"number":987654321}}`;

const commandsOf = (url: string) => ({
  token: 'TOKEN=$(npm run -s token)',
  transaction: `ID=$(curl -s ${url}/v1/transaction -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '${personJson}' | cut -d'"' -f4)`,
  code: `curl -X POST ${url}/v1/transaction/$ID/sms/tokens -H "Authorization: Bearer $TOKEN"`,
});

const Pictures = () => (
  <div class="welcome-icons" aria-hidden="true">
    <Icon name="phone" />
    <Icon name="mail" />
  </div>
);

/** Instructions for an empty inbox, with commands for this stack. */
export function Welcome() {
  const texts = useTexts(inboxTexts);
  const [url, setUrl] = useState(defaultUrl);
  useEffect(() => void readApplicationUrl().then(setUrl, () => undefined), []);
  const commands = commandsOf(url);
  return (
    <section class="welcome">
      <Pictures />
      <h2>{texts.welcome.title}</h2>
      <p>{texts.welcome.text}</p>
      <ol class="steps">
        {(['token', 'transaction', 'code'] as const).map((step) => (
          <Step key={step} title={texts.welcome.steps[step]} command={commands[step]} />
        ))}
      </ol>
    </section>
  );
}

function Step({ title, command }: { title: string; command: string }) {
  const texts = useTexts(inboxTexts);
  return (
    <li>
      <h3>{title}</h3>
      <div class="code">
        <pre tabIndex={0} role="region" aria-label={title}>
          {command}
        </pre>
        <div class="code-copy">
          <Button
            tone="small"
            aria-label={texts.copy.command(title)}
            onClick={() => copyText(command, texts.copy.commandCopied)}
          >
            <Icon name="copy" />
          </Button>
        </div>
      </div>
    </li>
  );
}

/** Shown while no conversation is selected. */
export function ChooseNotice() {
  const texts = useTexts(inboxTexts);
  return (
    <section class="welcome">
      <Pictures />
      <h2>{texts.choose.title}</h2>
      <p>{texts.choose.text}</p>
    </section>
  );
}
