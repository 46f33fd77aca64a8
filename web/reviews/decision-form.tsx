import { useId, useRef, useState } from 'preact/hooks';
import { currentAccess } from '../app/access';
import { appTexts } from '../app/app-texts';
import { useStore } from '../app/store';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { ChoiceGroup } from '../kit/choice-group';
import { Alert } from '../kit/content';
import { TextArea } from '../kit/field';
import { Icon, type IconName } from '../kit/icon';
import type { DecisionStatus } from './review-types';
import { type Draft, draftOf, errorTextOf, firstIssueOf, reasonCharsMax, sendDecision } from './send-decision';
import { reviewTexts } from './texts';

const icons: Record<DecisionStatus, IconName> = {
  Approved: 'approve',
  Rejected: 'reject',
  Inconclusive: 'inconclusive',
};
const statuses: readonly DecisionStatus[] = ['Approved', 'Rejected', 'Inconclusive'];

/** Whether a text is a suggested reason, in any language. */
const isSuggestion = (text: string) =>
  Object.values(reviewTexts).some(({ decision }) =>
    statuses.some((status) => decision.choices[status].reasons.includes(text)),
  );

/** Adds a suggested reason to the reason that the reviewer has typed. If the field already has a suggested reason, replaces it. */
function withSuggestion(reason: string, suggestion: string): string {
  const typed = reason.trim();
  return typed === '' || isSuggestion(typed) ? suggestion : `${typed} ${suggestion}`;
}

interface DecisionFormProps {
  reviewId: string;
  /** Called after the decision was saved. */
  onDecided: (status: DecisionStatus) => Promise<void>;
  /** Gets errors that the form does not show. */
  onError: (error: unknown) => Promise<void>;
}

/** The form of a decision. It does not ask "Are you sure?", because the reviewer already makes a choice and then presses a button. */
export function DecisionForm({ reviewId, onDecided, onError }: DecisionFormProps) {
  const { decision: texts } = useTexts(reviewTexts);
  const shared = useTexts(appTexts);
  const reviewer = useStore(currentAccess)?.name;
  const [draft] = useState(() => draftOf(reviewId));
  const [{ status, reason }, setShown] = useState<Draft>({ ...draft });
  const [error, setError] = useState('');
  const [isSending, setSending] = useState(false);
  const choice = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  const change = (changes: Partial<Draft>) => {
    setShown({ ...Object.assign(draft, changes) });
    setError('');
  };
  const send = async () => {
    setSending(true);
    const [saved, failure] = await sendDecision(reviewId, draft).then(
      (answer) => [answer, undefined] as const,
      (rejection: unknown) => [undefined, rejection] as const,
    );
    setSending(false);
    if (saved) return onDecided(saved);
    const text = errorTextOf(failure, texts, shared);
    return text === undefined ? onError(failure) : setError(text);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isSending) return;
    const issue = firstIssueOf(draft, texts);
    setError(issue?.text ?? '');
    if (!issue) void send();
    else if (issue.field === 'reason') reasonField.current?.focus();
    else choice.current?.focus();
  };
  const { length } = reason.trim();
  const chosen = status && texts.choices[status];
  return (
    <form class="card decision" aria-labelledby={`${id}-heading`} noValidate onSubmit={submit}>
      <h2 id={`${id}-heading`}>{texts.heading}</h2>
      <ChoiceGroup
        legend={texts.legend}
        value={status}
        firstRef={choice}
        choices={statuses.map((value) => ({
          value,
          tone: value === 'Rejected' ? 'bad' : undefined,
          label: (
            <>
              <Icon name={icons[value]} />
              {texts.choices[value].choice}
            </>
          ),
        }))}
        onChange={(value) => change({ status: value })}
      />
      <TextArea
        label={texts.reason}
        rows={2}
        value={reason}
        inputRef={reasonField}
        errorId={error ? `${id}-error` : undefined}
        hint={length > reasonCharsMax - 100 && texts.length(length, reasonCharsMax)}
        onInput={({ currentTarget }) => change({ reason: currentTarget.value })}
      />
      <div class="suggestions" role="group" aria-label={texts.suggestions}>
        {chosen?.reasons.map((suggestion) => (
          <Button
            tone="small"
            key={suggestion}
            onClick={() => {
              change({ reason: withSuggestion(draft.reason, suggestion) });
              reasonField.current?.focus();
            }}
          >
            {suggestion}
          </Button>
        ))}
      </div>
      {error && (
        <Alert tone="bad" id={`${id}-error`}>
          {error}
        </Alert>
      )}
      <Button tone={status === 'Rejected' ? 'bad' : 'main'} type="submit" isBusy={isSending}>
        {isSending ? texts.sending : (chosen?.press ?? texts.decide)}
      </Button>
      <p class="soft small">
        {texts.recordedWith} <bdi>{reviewer}</bdi>. {texts.isFinal}
      </p>
    </form>
  );
}
