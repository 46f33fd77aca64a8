import type { CodeIssue } from '../api-types';
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
