import type { ComponentChildren } from 'preact';
import type { HostedContent, HostedPageProps } from '../api-types';
import { languageOf } from '../app/language';
import { Alert } from '../kit/content';
import { DescriptionList } from '../kit/description-list';
import { CodeForm, codeIssue, MessageForm } from './code-form';
import { PageDocument } from '../kit/page-document';
import { hostedTexts } from './hosted-texts';
import { PersonFooter } from '../person/person-footer';
import { PersonHeader } from '../person/person-header';
import type { HostedTexts } from './texts/texts';

/** A button that sends the form. `value`: what the form sends to the API. */
interface FormButton {
  value: string;
  label: string;
  isMain?: boolean;
}

const Buttons = ({ buttons }: { buttons: readonly FormButton[] }) => (
  <form class="person-form" method="post">
    {buttons.map(({ value, label, isMain }) => (
      <button class={isMain ? 'button button-main' : 'button'} name="action" value={value}>
        {label}
      </button>
    ))}
  </form>
);

/** What the page shows, from top to bottom. */
interface Parts {
  heading: string;
  /** An error above the heading of the page. */
  alert?: string;
  /** What the last press of the button for another message did. */
  notice?: string | undefined;
  text: string;
  form?: ComponentChildren;
}

type CodeContent = Extract<HostedContent, { kind: 'code' }>;
type ResultContent = Extract<HostedContent, { kind: 'result' }>;

/** What the page says about the last press of the button for another message. Undefined if the person has not pressed it. */
function noticeOf({ sent, button }: CodeContent | ResultContent, { another }: HostedTexts): string | undefined {
  if (sent === undefined) return undefined;
  return sent === 'tooSoon' ? another.tooSoon(button?.seconds ?? 1) : another[sent];
}

function codeParts(content: CodeContent, texts: HostedTexts, brand: string): Parts {
  const { channel, destination, minutesLeft, values, issue, button } = content;
  const { code } = texts;
  return {
    heading: code.heading,
    ...(issue === undefined ? {} : { alert: codeIssue(texts, issue) }),
    notice: noticeOf(content, texts),
    text: `${code.lead[channel](brand, destination)} ${code.validFor(minutesLeft)}`,
    form: (
      <>
        {values && <DescriptionList entries={values.map(({ label, text }) => [label, text])} />}
        <CodeForm texts={code} isInvalid={issue !== undefined} />
        {button && <MessageForm button={button} texts={texts.another} />}
      </>
    ),
  };
}

function resultParts(content: ResultContent, texts: HostedTexts): Parts {
  const { result, reply = '', button } = content;
  const { results } = texts;
  const form = button && <MessageForm button={button} texts={texts.another} />;
  if (result !== 'noted') return { ...results[result], notice: noticeOf(content, texts), form };
  return { heading: results.noted.heading, text: results.noted.text(reply) };
}

/**
 * Returns the parts of the page. The last lines of this function are for content of the kind `token`: the page asks whether the person
 * requested a code by e-mail.
 */
function partsOf(content: HostedContent, texts: HostedTexts, brand: string): Parts {
  const { question, hint, yes, no, deny, superseded, title } = texts;
  const denyButton = { value: 'deny', label: no };
  if (content.kind === 'code') return codeParts(content, texts, brand);
  if (content.kind === 'result') return resultParts(content, texts);
  if (content.kind === 'superseded') return { ...superseded, form: <Buttons buttons={[denyButton]} /> };
  if (content.kind === 'prompt')
    return { heading: content.heading ?? title, text: content.text, form: <Buttons buttons={content.replies} /> };
  // A link with the purpose `deny` is for a person who did not request the code. So the page of this link has only the button to deny.
  if (content.kind === 'deny') {
    const buttons = [{ ...denyButton, isMain: true }];
    return { heading: deny.question(brand), text: deny.hint, form: <Buttons buttons={buttons} /> };
  }
  const buttons = [{ value: 'confirm', label: yes, isMain: true }, denyButton];
  return { heading: question(brand), text: hint, form: <Buttons buttons={buttons} /> };
}

/** The hosted page of a confirmation. It works without scripts: each button sends a form. */
export function HostedPage({ content, back, settings, ...page }: HostedPageProps) {
  const { language, brand } = page;
  const texts = hostedTexts[languageOf(language)];
  const { heading, alert, notice, text, form } = partsOf(content, texts, brand);
  return (
    <PageDocument
      class="person-page"
      {...page}
      title={alert === undefined ? texts.title : `${texts.code.errorTitle}: ${texts.title}`}
      {...(settings ? { settings } : {})}
    >
      <PersonHeader {...page} />
      <main class="person">
        {alert !== undefined && <Alert tone="bad">{alert}</Alert>}
        {notice !== undefined && <Alert>{notice}</Alert>}
        <h1>{heading}</h1>
        <p class="lead">{text}</p>
        {form}
        {back !== undefined && (
          <p class="actions">
            <a class="button button-main" href={back} target="_top">
              {texts.back(new URL(back).host)}
            </a>
          </p>
        )}
      </main>
      <PersonFooter {...page} />
    </PageDocument>
  );
}
