import { ButtonLink } from '../kit/button';
import { CodeBlock } from '../kit/content';
import { highlight } from './markdown/highlight';
import type { SiteImage } from './markdown/images';

const sample = `# 1. Create a transaction for a person
curl $API/v1/transaction -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "documentType": "CPF", "document": "529.982.247-25",
        "phone": { "countryCode": 55, "areaCode": 11, "number": 987654321 } }'

# 2. Send a code by SMS
curl -X POST $API/v1/transaction/$ID/sms/tokens \\
  -H "Authorization: Bearer $TOKEN"

# 3. Check what the person typed
curl $API/v1/transaction/$ID/sms/tokens/validate \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "value": "492817" }'`;

const features: readonly [title: string, text: string, href: string][] = [
  [
    'Codes and questions',
    'Confirm a phone or a mailbox by SMS, e-mail or WhatsApp. No code is stored.',
    '/docs/api/sms',
  ],
  ['Document and face', 'A hosted page takes the images. A reviewer or your face policy decides.', '/docs/biometrics'],
  ['Scores with reasons', 'Each score lists the rules, the evidence and the points behind it.', '/docs/scoring'],
  ['Flows as data', 'Combine steps in one file. Simulate it, draw it, and deploy a version.', '/docs/flows'],
  ['Webhooks and events', 'Signed, in order, and repeated for three days if your server is down.', '/docs/webhooks'],
  [
    'Durable',
    'Each transaction is one Temporal workflow, so no change is lost after a successful answer.',
    '/docs/operators',
  ],
];

/** The first page: what Countersign is, and where to go next. */
export function Landing({ picture }: { picture: SiteImage }) {
  return (
    <main id="main" class="landing" tabIndex={-1}>
      <section class="hero" aria-labelledby="what">
        <div class="hero-text">
          <h1 id="what">Confirm who a person is, with one API</h1>
          <p class="lead">
            Countersign checks a person for a sign-up, a payment or a contract: by SMS, e-mail or WhatsApp, or by images
            of their document and face. You run it on your own servers.
          </p>
          <p class="form-actions">
            <ButtonLink tone="main" href="/docs/quickstart">
              Quickstart
            </ButtonLink>
            <ButtonLink href="/docs/api">API reference</ButtonLink>
          </p>
          <p class="status" data-status>
            <a href="/health/ready">Status of this API</a>
          </p>
        </div>
        <CodeBlock title="Three calls confirm a phone" html={highlight(sample, 'bash')} />
      </section>
      <section class="features" aria-labelledby="parts">
        <h2 id="parts">What it does</h2>
        <ul class="cards">
          {features.map(([title, text, href]) => (
            <li class="card">
              <h3>
                <a href={href}>{title}</a>
              </h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section class="picture" aria-labelledby="local">
        <div>
          <h2 id="local">Try all of it on your machine</h2>
          <p>
            <code>npm start</code> runs the whole service, and an inbox with simulated phones and mailboxes. You see
            each message, and answer as the person.
          </p>
          <p>
            <a href="/docs/quickstart">Start it</a>, read <a href="/docs">the guides</a>, or download{' '}
            <a href="/docs/api#downloads">the requests for your HTTP client</a>.
          </p>
        </div>
        <img
          src={picture.url}
          width={picture.width}
          height={picture.height}
          alt="The local inbox: a phone with a code and a question"
          loading="lazy"
        />
      </section>
    </main>
  );
}
