import type { CodeIssue, MessageButton } from '../api-types';
import type { HostedTexts } from './texts/texts';

/** What the form says about the code that the person entered. */
export function codeIssue({ code, results }: HostedTexts, issue: CodeIssue): string {
  if ('attemptsLeft' in issue) return code[issue.issue](issue.attemptsLeft);
  return issue.issue === 'noCode' ? code.noCode : results.unavailable.text;
}

/** A form for one code. A phone suggests the code of a new SMS, and shows a keyboard with digits. */
export const CodeForm = ({ texts, isInvalid }: { texts: HostedTexts['code']; isInvalid: boolean }) => (
  <form class="person-form" method="post" novalidate>
    <label class="field-label" for="code">
      {texts.label}
    </label>
    <input
      class="field-control code-field"
      id="code"
      name="code"
      inputMode="numeric"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      maxLength={64}
      required
      aria-invalid={isInvalid ? 'true' : undefined}
    />
    <button class="button button-main">{texts.submit}</button>
  </form>
);

/** The button for another message. It can be pressed too early: the page then says how long the person must wait. */
export const MessageForm = ({
  button: { isNewCode, seconds, press },
  texts,
}: {
  button: MessageButton;
  texts: HostedTexts['another'];
}) => (
  <form class="person-form" method="post">
    <input type="hidden" name="press" value={press} />
    <button class={isNewCode ? 'button button-main' : 'button'} name="action" value="resend">
      {isNewCode ? texts.newCode : texts.again}
      {seconds > 0 && ` (${texts.in(seconds)})`}
    </button>
  </form>
);
